package inspect

import "embed"

// page is what the browser loads. "make page" bundles it from the sources in the folder page.
//
//go:embed dist
var page embed.FS
