;;; pact-selector-ts-mode.el --- PACT selectors, with tree-sitter  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Package-Requires: ((emacs "29.1"))

;;; Commentary:

;; Highlighting of selector files with the grammars in editors/tree-sitter-pactsel, and movement by
;; selector.  Everything else is that of `pact-selector-mode'.  `pact-selector-ts-install' builds
;; the grammars.  In Emacs 30 and newer, `pact-selector-strings-mode' highlights selectors in
;; strings of programs, in the tree-sitter modes.

;;; Code:

(require 'treesit)
(require 'pact-selector-mode)

(defconst pact-selector-ts-grammars
  (expand-file-name "../tree-sitter-pactsel/"
                    (file-name-directory (or load-file-name buffer-file-name default-directory)))
  "The folder of the generated parsers.")

(defun pact-selector-ts-install ()
  "Build the grammars with the C compiler, for Emacs to find."
  (interactive)
  (let ((folder (locate-user-emacs-file "tree-sitter")))
    (make-directory folder t)
    (dolist (name '("pactsel" "pactsel_inline"))
      (let ((source (expand-file-name (concat name "/src/") pact-selector-ts-grammars))
            (library (expand-file-name (concat "libtree-sitter-" name module-file-suffix) folder)))
        (with-temp-buffer
          (unless (zerop (call-process (or (getenv "CC") "cc") nil t nil "-shared" "-fPIC" "-O2" "-std=c11"
                                       "-I" source "-o" library
                                       (expand-file-name "parser.c" source) (expand-file-name "scanner.c" source)))
            (error "The grammar cannot be built: %s" (buffer-string))))))
    (message "The grammars are in %s" folder)))

(defun pact-selector-ts--font-lock (language &optional feature)
  "Return the font-lock settings of LANGUAGE, whose grammar must be installed.
They are all of FEATURE if it is given, and then lie over other colors."
  (apply #'treesit-font-lock-rules
         (mapcan
          (lambda (rule)
            (list :language language :feature (or feature (car rule))
                  :override (or (and feature t) (eq (car rule) 'constant)) (cdr rule)))
          '((comment
             (comment) @font-lock-comment-face)
            (string
             (attribute value: (string) @font-lock-string-face)
             (attribute value: (word) @font-lock-string-face))
            (constant
             ((word) @font-lock-constant-face (:match "\\`\\(?:true\\|false\\|null\\|None\\)\\'" @font-lock-constant-face))
             (control_value) @font-lock-constant-face
             [(key) (quoted_key)] @font-lock-variable-name-face
             (tag) @font-lock-constant-face)
            (keyword
             [(time) (late_time) (every) (history) (region)] @font-lock-keyword-face
             "in" @font-lock-keyword-face
             (control_name) @font-lock-preprocessor-face)
            (type
             [(type) (dot_part)] @font-lock-type-face)
            (property
             (attribute_name) @font-lock-property-use-face)
            (builtin
             (step (colon_name) @font-lock-builtin-face)
             (pseudo [(colon_name) (colon_part)] @font-lock-builtin-face)
             (late_name) @font-lock-builtin-face
             [(depth_call) (within_call) (nth_call) (late_nth) (depth_pseudo) (late_depth)] @font-lock-builtin-face)
            (number
             (depth_range [(depth) (depth_decimal) (int)] @font-lock-number-face)
             [(int) (decimal) (cont_at)] @font-lock-number-face)
            (operator
             ["*" ">" "=" "!=" "<" "<=" ">=" "~" ".." "??" "?"] @font-lock-operator-face)
            (bracket
             ["(" ")" "[" "]" "{" "}"] @font-lock-bracket-face)))))

;;;###autoload
(define-derived-mode pact-selector-ts-mode pact-selector-mode "PACT"
  "Major mode for PACT selector files, with tree-sitter."
  (unless (treesit-ready-p 'pactsel t)
    (error "M-x pact-selector-ts-install builds the grammar that this mode needs"))
  (treesit-parser-create 'pactsel)
  (setq-local treesit-font-lock-settings (pact-selector-ts--font-lock 'pactsel)
              treesit-font-lock-feature-list
              '((comment) (string keyword type) (constant property builtin number) (operator bracket))
              treesit-defun-type-regexp "\\`selector\\'")
  (treesit-major-mode-setup))

;;;###autoload
(when (treesit-ready-p 'pactsel t)
  (add-to-list 'auto-mode-alist '("\\.pactsel\\'" . pact-selector-ts-mode)))

;; Selectors in strings.

(defconst pact-selector-strings-languages
  (let ((quoted '(string (string_fragment) @selector)) (template '(template_string)))
    `((go ((interpreted_string_literal_content) @selector) ((raw_string_literal) @selector))
      (python ((string_content) @selector))
      (javascript (,quoted) (,template @selector))
      (typescript (,quoted) (,template @selector))
      (tsx (,quoted) (,template @selector))))
  "For a language the nodes that can be selectors; old grammars lack some.
Emacs 30.1 does not leave out the quotes of a node by an offset.  A backquote
is an error in a selector, and all beside it keeps its colors.")

(defconst pact-selector-strings-marked
  (concat "\\(?:\\_<pact\\.compile(\\|\\_<pactkit\\.\\(?:Parse\\|Format\\|MustCompile\\)(\\|\\_<pact\\|"
          "/\\*[ \t]*\\(?:language=\\)?pact[ \t]*\\*/\\|"
          "^[ \t]*\\(?:#\\|//\\)[ \t]*\\(?:language=\\)?pact[ \t]*\n.*\\)[ \t\n]*[rRuUbB]?[\"'`]*\\=")
  "Matches before a string that is always a selector.")

(defconst pact-selector-strings-call
  "\\.\\(?:[sS]elect\\|SelectRange\\|[dD]iff\\)([^()\"'`\n]*[rRuUbB]?[\"'`]*\\="
  "Matches before a string that is a selector if its text proves it.")

(defconst pact-selector-strings-proof
  (concat "\\(?:\\`\\|[ \t\n(,>\"'`]\\)"
          "\\(?:\\^\\(?:sys\\|seq\\|ah\\|root\\)\\_>\\|@[tc][-+]?[0-9*]\\|d-?[0-9]+\\.\\.d?-?[0-9]\\)")
  "Matches a region, an instant or a range of depths, which no other language has.")

(defun pact-selector-strings-p (string)
  "Report whether the node STRING is a selector.
The text before it and its own tell, as far as they can."
  (with-current-buffer (treesit-node-buffer string)
    (save-excursion
      (save-match-data
        (goto-char (treesit-node-start string))
        (let ((above (line-beginning-position 0)) (text (treesit-node-text string t)))
          (and (not (string-search "\\" text))
               (or (re-search-backward pact-selector-strings-marked above t)
                   (and (re-search-backward pact-selector-strings-call above t)
                        (string-match-p pact-selector-strings-proof text)))))))))

;;;###autoload
(define-minor-mode pact-selector-strings-mode
  "Highlight selectors in the strings of a program, in a tree-sitter mode."
  :lighter nil
  (let* ((parser (car (treesit-parser-list)))
         (language (and parser (treesit-parser-language parser)))
         (patterns (seq-filter ; those that the grammar has
                    (lambda (pattern) (ignore-errors (treesit-query-capture language (list pattern) nil nil t) t))
                    (alist-get language pact-selector-strings-languages))))
    (cond
     ((not pact-selector-strings-mode)
      (setq-local treesit-range-settings (seq-remove (lambda (s) (memq 'pactsel_inline s)) treesit-range-settings)
                  treesit-font-lock-settings (seq-remove (lambda (s) (memq 'pact-selector s)) treesit-font-lock-settings))
      (remove-overlays nil nil 'treesit-host-parser parser))
     ((or (< emacs-major-version 30) (not patterns) (not (treesit-ready-p 'pactsel_inline t)))
      (setq pact-selector-strings-mode nil)
      (message "Selectors in strings need Emacs 30, a mode of tree-sitter and M-x pact-selector-ts-install"))
     (t
      (setq-local treesit-range-settings
                  (append treesit-range-settings
                          (treesit-range-rules
                           :embed 'pactsel_inline :host language :local t
                           (mapcar (lambda (pattern) (append pattern '((:pred pact-selector-strings-p @selector)))) patterns)))
                  treesit-font-lock-settings
                  (append treesit-font-lock-settings (pact-selector-ts--font-lock 'pactsel_inline 'pact-selector))
                  treesit-font-lock-feature-list
                  (cons (cons 'pact-selector (car treesit-font-lock-feature-list)) (cdr treesit-font-lock-feature-list)))
      (treesit-font-lock-recompute-features)))
    (font-lock-flush)))

(provide 'pact-selector-ts-mode)
;;; pact-selector-ts-mode.el ends here
