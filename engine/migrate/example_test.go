package migrate_test

import (
	"fmt"
	"log"

	"github.com/pactkit/pactkit/engine/migrate"
)

func ExampleTo10() {
	old := `{"spec_version": "PACT/0.1.0", "root": {"children": [
  {"nodeType": "^sys"}, {"nodeType": "^seq"}, {"nodeType": "^ah", "children": [{"id": "u1", "nodeType": "cb", "role": "user"}]}]}}`
	text, report, err := migrate.To10("history.json", []byte(old))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report)
	fmt.Println(string(text))
	// Output:
	// 1 version, 1 node type, 1 role
	// {"spec_version": "PACT/1.0.0", "root": {"children": [
	//   {"nodeType": "^sys"}, {"nodeType": "^seq"}, {"nodeType": "^ah", "children": [{"id": "u1", "nodeType": "block", "tag": ["user"]}]}]}}
}
