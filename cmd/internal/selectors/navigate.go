package selectors

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

const symbolsLong = `List the selectors below the working folder with their places: all of them, or those whose shortest spelling contains TEXT.
Strings that are not proven to be selectors are left out. The list ends after 1000 selectors.`

const referencesLong = `List where the word at a place is used in the selectors below the working folder: a type, tag, key, id or attribute. If the
place has no word, list the nodes that its selector finds in the fixtures of the configuration.

A place is FILE:LINE:COLUMN, as in findings; columns count characters from 1.`

const definitionLong = `List where the word at a place stands first in each fixture of the configuration: a type, tag, key, id or attribute.

A place is FILE:LINE:COLUMN, as in findings; columns count characters from 1.`

const renameLong = `Rename the word at a place in all selectors below the working folder. Rename prints a patch for git apply; with -w, it writes
the files. It changes only strings that are proven to be selectors, and keeps their escapes. Notes name the uses that it cannot
rename, and say when the new name is one that other selectors use already. Fixtures do not change.

A place is FILE:LINE:COLUMN, as in findings; columns count characters from 1.`

const requestLong = `Send one request of the Language Server Protocol to the server, for the working folder, and print the answer as JSON. Scripts
and agents use it for requests that have no verb; docs/reference/lsp.md lists the methods.

FILE, or FILE:LINE:COLUMN with columns that count characters from 1, becomes textDocument and position of the parameters.
--params adds other parameters, as a JSON object. Lines and characters in parameters and answers count from 0, and
characters are bytes.`

// Symbols returns the verb symbols.
func Symbols(r *verb.Run) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "symbols [TEXT]", Short: "List the selectors of a project", Long: symbolsLong,
		Example: "  pactkit symbols\n  pactkit symbols .block+user --json", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, "")
			return navigate(cmd.Context(), r, func(c *client) error {
				var found []struct {
					Name     string   `json:"name"`
					Location location `json:"location"`
				}
				if err := c.call("workspace/symbol", map[string]any{"query": query}, &found); err != nil {
					return err
				}
				var list []place
				for _, f := range found {
					if p, ok := c.place(f.Location); ok {
						p.Selector = f.Name
						list = append(list, p)
					}
				}
				c.print(list, asJSON)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an object (docs/schemas/places.json)")
	return cmd
}

// References returns the verb references.
func References(r *verb.Run) *cobra.Command {
	return locate(r, "textDocument/references", cobra.Command{
		Use: "references FILE:LINE:COLUMN", Short: "List where a word of a selector is used", Long: referencesLong,
		Example: "  pactkit references queries.pactsel:1:6",
	})
}

// Definition returns the verb definition.
func Definition(r *verb.Run) *cobra.Command {
	return locate(r, "textDocument/definition", cobra.Command{
		Use: "definition FILE:LINE:COLUMN", Short: "List where fixtures have a word of a selector", Long: definitionLong,
		Example: "  pactkit definition queries.pactsel:1:6",
	})
}

// locate makes a verb of a request about the word at a place, which answers with places.
func locate(r *verb.Run, method string, cmd cobra.Command) *cobra.Command {
	asJSON := false
	cmd.Args = cobra.ExactArgs(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return navigate(cmd.Context(), r, func(c *client) error {
			at, err := c.at(args[0])
			if err != nil {
				return err
			}
			at["context"] = map[string]any{"includeDeclaration": true}
			var found []location
			if err := c.call(method, at, &found); err != nil {
				return err
			}
			var list []place
			for _, f := range found {
				if p, ok := c.place(f); ok {
					list = append(list, p)
				}
			}
			c.print(list, asJSON)
			return nil
		})
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an object (docs/schemas/places.json)")
	return &cmd
}

// Rename returns the verb rename.
func Rename(r *verb.Run) *cobra.Command {
	write := false
	cmd := &cobra.Command{
		Use: "rename FILE:LINE:COLUMN NAME", Short: "Rename a word in all selectors", Long: renameLong,
		Example: "  pactkit rename queries.pactsel:1:6 customer", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return navigate(cmd.Context(), r, func(c *client) error {
				at, err := c.at(args[0])
				if err != nil {
					return err
				}
				at["newName"] = args[1]
				var edit struct {
					Changes map[string][]textEdit `json:"changes"`
				}
				if err := c.call("textDocument/rename", at, &edit); err != nil {
					return err
				}
				if len(edit.Changes) == 0 {
					return errors.New("there is no word of a selector at " + args[0])
				}
				c.apply(edit.Changes, write)
				return nil
			})
		},
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the files instead of showing a patch")
	return cmd
}

// Request returns the verb request.
func Request(r *verb.Run) *cobra.Command {
	params := "{}"
	cmd := &cobra.Command{
		Use: "request METHOD [FILE[:LINE:COLUMN]]", Short: "Ask the language server something", Long: requestLong,
		Example: `  pactkit request textDocument/hover queries.pactsel:1:6
  pactkit request textDocument/documentSymbol queries.pactsel`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := map[string]any{}
			if err := json.Unmarshal([]byte(params), &given); err != nil {
				return fmt.Errorf("--params is not a JSON object: %v", err)
			}
			return navigate(cmd.Context(), r, func(c *client) error {
				if len(args) == 2 {
					at, err := c.document(args[1])
					if err != nil {
						return err
					}
					maps.Copy(given, at)
				}
				var answer json.RawMessage
				if err := c.call(args[0], given, &answer); err != nil {
					return err
				}
				c.PrintJSON(answer)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&params, "params", "{}", "further parameters, as a JSON `OBJECT`")
	return cmd
}
