;;; pact-selector-ts-mode.el --- PACT selectors, with tree-sitter  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; Colours of selector files from the grammar in editors/tree-sitter-pactsel, and movement by selector.  Everything else
;; is that of `pact-selector-mode'.  `pact-selector-ts-install' builds the grammar.

;;; Code:

(require 'treesit)
(require 'pact-selector-mode)

(defconst pact-selector-ts-grammar
  (expand-file-name "../tree-sitter-pactsel/pactsel/src/"
                    (file-name-directory (or load-file-name buffer-file-name default-directory)))
  "The folder of the generated parser.")

(defun pact-selector-ts-install ()
  "Build the grammar with the C compiler, for Emacs to find."
  (interactive)
  (let* ((folder (locate-user-emacs-file "tree-sitter"))
         (library (expand-file-name (concat "libtree-sitter-pactsel" module-file-suffix) folder)))
    (make-directory folder t)
    (with-temp-buffer
      (unless (zerop (call-process (or (getenv "CC") "cc") nil t nil "-shared" "-fPIC" "-O2" "-std=c11"
                                   "-I" pact-selector-ts-grammar "-o" library
                                   (expand-file-name "parser.c" pact-selector-ts-grammar)
                                   (expand-file-name "scanner.c" pact-selector-ts-grammar)))
        (error "The grammar cannot be built: %s" (buffer-string))))
    (message "The grammar is in %s" library)))

(defun pact-selector-ts--font-lock ()
  "Return the colours; the grammar must be there."
  (treesit-font-lock-rules
   :language 'pactsel :feature 'comment
   '((comment) @font-lock-comment-face)
   :language 'pactsel :feature 'string
   '((attribute value: (string) @font-lock-string-face)
     (attribute value: (word) @font-lock-string-face))
   :language 'pactsel :feature 'constant :override t
   '(((word) @font-lock-constant-face (:match "\\`\\(?:true\\|false\\|null\\|None\\)\\'" @font-lock-constant-face))
     (control_value) @font-lock-constant-face
     [(key) (quoted_key)] @font-lock-variable-name-face
     (tag) @font-lock-constant-face)
   :language 'pactsel :feature 'keyword
   '([(time) (late_time) (every) (history) (region)] @font-lock-keyword-face
     "in" @font-lock-keyword-face
     (control_name) @font-lock-preprocessor-face)
   :language 'pactsel :feature 'type
   '([(type) (dot_part)] @font-lock-type-face)
   :language 'pactsel :feature 'property
   '((attribute_name) @font-lock-property-use-face)
   :language 'pactsel :feature 'builtin
   '((step (colon_name) @font-lock-builtin-face)
     (pseudo [(colon_name) (colon_part)] @font-lock-builtin-face)
     (late_name) @font-lock-builtin-face
     [(depth_call) (within_call) (nth_call) (late_nth) (depth_pseudo) (late_depth)] @font-lock-builtin-face)
   :language 'pactsel :feature 'number
   '((depth_range [(depth) (depth_decimal) (int)] @font-lock-number-face)
     [(int) (decimal) (cont_at)] @font-lock-number-face)
   :language 'pactsel :feature 'operator
   '(["*" ">" "=" "!=" "<" "<=" ">=" "~" ".." "??" "?"] @font-lock-operator-face)
   :language 'pactsel :feature 'bracket
   '(["(" ")" "[" "]" "{" "}"] @font-lock-bracket-face)))

;;;###autoload
(define-derived-mode pact-selector-ts-mode pact-selector-mode "PACT"
  "Major mode for files of PACT selectors, with tree-sitter."
  (unless (treesit-ready-p 'pactsel t)
    (error "M-x pact-selector-ts-install builds the grammar that this mode needs"))
  (treesit-parser-create 'pactsel)
  (setq-local treesit-font-lock-settings (pact-selector-ts--font-lock)
              treesit-font-lock-feature-list
              '((comment) (string keyword type) (constant property builtin number) (operator bracket))
              treesit-defun-type-regexp "\\`selector\\'")
  (treesit-major-mode-setup))

;;;###autoload
(when (treesit-ready-p 'pactsel t)
  (add-to-list 'auto-mode-alist '("\\.pactsel\\'" . pact-selector-ts-mode)))

(provide 'pact-selector-ts-mode)
;;; pact-selector-ts-mode.el ends here
