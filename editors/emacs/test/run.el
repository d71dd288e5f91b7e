;;; run.el --- Tests pact-selector-mode with eglot in batch mode  -*- lexical-binding: t; -*-

;; On a copy of editors/sample, named by PACT_SAMPLE, with pact-lsp on the PATH: `make editors' runs it.

(package-initialize)
(setq eglot-autoreconnect nil eglot-sync-connect 20 eglot-extend-to-xref nil make-backup-files nil
      create-lockfiles nil eglot-confirm-server-initiated-edits nil)
(add-to-list 'load-path (expand-file-name ".." (file-name-directory load-file-name)))
(require 'pact-selector-mode)
(require 'project)

(defvar sample (file-name-as-directory (getenv "PACT_SAMPLE")))
;; The workspace is the folder of the sample, which is not in a repository.
(add-hook 'project-find-functions (lambda (_) (cons 'transient sample)))
(pact-selector-in-strings 'python-mode)

;; eglot asks before it edits files that are not open.
(fset 'y-or-n-p (lambda (&rest _) t))

(defun fail (what saw)
  (message "FAIL  %s: saw %S" what saw)
  (kill-emacs 1))

(defun step (what said) (message "ok    %s: %s" what said))

(defun seen (what get meant)
  "Wait until GET returns what MEANT takes, or fail with WHAT."
  (let ((end (+ (float-time) 15)) last)
    (while (not (funcall meant (setq last (funcall get))))
      (when (> (float-time) end) (fail what last))
      (accept-process-output nil 0.1))
    last))

(defun messages ()
  (mapcar (lambda (d) (car (split-string (flymake-diagnostic-text d) "\n"))) (flymake-diagnostics)))

(defun open (file)
  (find-file (concat sample file))
  (eglot-ensure)
  (run-hooks 'post-command-hook)
  (unless (eglot-current-server) (apply #'eglot--connect (eglot--guess-contact)))
  (seen (concat "attach " file) #'eglot-current-server #'identity)
  (unless eglot--managed-mode (eglot--maybe-activate-editing-mode)))

(defun main ()
  (open "agent.pactsel")
  (step "attach" (format "%s, %s" major-mode (eglot--project-nickname (eglot-current-server))))
  (flymake-start)
  (step "diagnostics"
        (string-join (seen "diagnostics" #'messages (lambda (l) (seq-some (lambda (m) (string-match-p "\\.mt" m)) l))) " / "))
  (goto-char (point-min))
  (search-forward "+ques")
  (let ((hover (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams)) :contents)))
    (unless (string-match-p "tagged \"question\"" (plist-get hover :value)) (fail "hover" hover))
    (step "hover" (car (split-string (plist-get hover :value) "\n"))))
  (let* ((found (eglot-completion-at-point))
         (list (all-completions "+" (nth 2 found))))
    (unless (member "+answer" list) (fail "completion" list))
    (step "completion" (string-join list " ")))
  (let ((action (seq-find (lambda (a) (string-match-p "write `.seg`" (plist-get a :title)))
                          (progn (goto-char (point-min)) (search-forward ".mt") (backward-char)
                                 (append (eglot-code-actions (point)) nil)))))
    (unless action (fail "quick fix" action))
    (eglot--apply-workspace-edit (plist-get action :edit) nil)
    (step "quick fix" (buffer-substring (line-beginning-position) (line-end-position))))
  (eglot-format-buffer)
  (goto-char (point-min))
  (unless (search-forward "@t0 (d0 *[nodeType='block']+question:last)" nil t) (fail "format" (buffer-string)))
  (step "format" (buffer-substring (line-beginning-position) (line-end-position)))
  (goto-char (point-min))
  (search-forward "+ques")
  (eglot--signal-textDocument/didChange) ; eglot does this when the user pauses
  (eglot-rename "inquiry")
  (seen "rename" #'buffer-string (lambda (s) (string-match-p "\\+inquiry" s)))
  (save-some-buffers t)
  (let (said)
    (dolist (file '("agent.go" "agent.py" "agent.ts" "notes.md" "agent.pactsel"))
      (with-temp-buffer
        (insert-file-contents (concat sample file))
        (when (save-excursion (search-forward "+question" nil t)) (fail (concat "rename in " file) (buffer-string)))
        (push (format "%s %d" file (how-many "\\+inquiry")) said)))
    (step "rename" (string-join (nreverse said) ", ")))
  (open "agent.py")
  (flymake-start)
  (step "diagnostics of strings"
        (string-join (seen "diagnostics of strings" #'messages (lambda (l) (seq-some (lambda (m) (string-match-p "\\.cb" m)) l))) " / "))
  (message "all steps went well")
  (kill-emacs 0))

(condition-case why (main) (error (fail "the run" why)))
;;; run.el ends here
