;;; pact-selector-mode.el --- PACT selectors, with the language server  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; A major mode for selector files, and pact-lsp as the server of that mode.  `pact-selector-in-strings' makes it the
;; server of programs and documents too.  eglot runs one server for a major mode, so this is for modes where no
;; other server is wanted.

;;; Code:

(require 'eglot)

(defvar pact-selector-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?' "\"" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?- "w" table)
    (modify-syntax-entry ?\n ">" table)
    table))

(defconst pact-selector-font-lock-keywords
  '(("\\(?:^\\|[ \t]\\)\\(#\\(?:[ \t#].*\\)?\\)$" 1 font-lock-comment-face t)
    ("\\^[[:alpha:]_][[:alnum:]_-]*" . font-lock-keyword-face)
    ("@\\(?:t\\(?:[+-]?[0-9]+\\|[+-]\\*\\)\\|c[+-]?[0-9]+\\|\\*\\|history\\_>\\)" . font-lock-keyword-face)
    ("@[[:alpha:]_][[:alnum:]_-]*" . font-lock-preprocessor-face)
    ("\\.[[:alpha:]_][[:alnum:]_-]*" . font-lock-type-face)
    ("#[[:alpha:]_][[:alnum:]_.-]*" . font-lock-variable-name-face)
    ("\\+[[:alpha:]_][[:alnum:]_-]*" . font-lock-constant-face)
    (":[[:alpha:]_][[:alnum:]_-]*" . font-lock-builtin-face)))

;;;###autoload
(define-derived-mode pact-selector-mode prog-mode "PACT"
  "Major mode for PACT selector files."
  (setq-local comment-start "# "
              comment-start-skip "#[ \t#]+"
              comment-end ""
              font-lock-defaults '(pact-selector-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.pactsel\\'" . pact-selector-mode))

(add-to-list 'eglot-server-programs '((pact-selector-mode :language-id "pact-selector") . ("pact-lsp")))

(defun pact-selector-in-strings (&rest modes)
  "Make pact-lsp the server of MODES, for selectors in strings."
  (dolist (mode modes)
    (add-to-list 'eglot-server-programs (cons mode '("pact-lsp")))))

(provide 'pact-selector-mode)
;;; pact-selector-mode.el ends here
