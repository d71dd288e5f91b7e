(selector) @function.around
(fragment) @function.inside
(comment)+ @comment.around
