/** A file of selectors. */
module.exports = require("../common/define-grammar.js")(true);
