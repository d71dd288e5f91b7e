/** One selector on any number of lines, as in a string of a program. */
module.exports = require("../common/define-grammar.js")(false);
