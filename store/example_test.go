package store_test

import (
	"fmt"

	"github.com/pactkit/pactkit/store"
)

// The address of a history is that of its store, and its id after a #.
func ExampleSplitAddress() {
	address := store.JoinAddress("file:histories", "team/session #7")
	fmt.Println(address)
	fmt.Println(store.SplitAddress(address))
	// Output:
	// file:histories#team/session %237
	// file:histories team/session #7 <nil>
}
