package host

import (
	"strings"
	"sync"
)

// api is the public API of PACT in a programming language: what an origin of a string must come
// from to prove that the string is a selector. Names are those of a module, by the last part of its
// path, and of its member.
type api struct {
	roots   []string // the paths of the modules; those below them count too
	objects []string // functions and classes that make what selectors are run on
	lists   []string // functions that make several of them
	types   []string // the types of these objects
	// functions take a selector, as do methods of the objects; likely are methods whose names no
	// other library has. They are written like [Patterns.Calls].
	functions, methods, likely []string
	positions, targets         []string // methods that take these
	again                      []string // methods that return another object

	once   sync.Once
	byName map[string][]callPattern
}

var (
	goAPI = &api{
		roots:   []string{"github.com/pactkit/pactkit"},
		objects: []string{"pactkit.Open", "pactkit.New", "pactkit.Attach", "pactkit.FromContext", "pactkit.FromTimeline"},
		types:   []string{"pactkit.Tree", "pactkit.Live"},
		functions: []string{
			"pactkit.Parse(1)", "pactkit.Format(1)", "pactkit.Lint(2)", "parser.ParseSelector(1)", "lint.CheckSelector(2)",
		},
		methods:   []string{"*.Select(2)", "*.SelectRange(2)", "*.Diff(4)"},
		positions: []string{"*.Insert(2)", "*.Move(3)"},
		targets:   []string{"*.Replace(2)", "*.Move(2)", "*.Delete(2)"},
		again:     []string{"Resume"},
	}
	pythonAPI = &api{
		roots:     []string{"pactsel"},
		objects:   []string{"pactsel.open", "pactsel.read", "pactsel.History"},
		lists:     []string{"pactsel.histories"},
		types:     []string{"pactsel.History"},
		functions: []string{"pactsel.grep(1, selector)", "pactsel.selects(1, selector)"},
		methods:   []string{"*.select(1, selector)", "*.changes(1, selector)", "*.explain(1, selector)"},
		likely:    []string{"pact_select(2, selector)"},
	}
	scriptAPI = &api{
		roots:     []string{"@pactkit"},
		objects:   []string{"cli.open", "cli.read", "cli.History"},
		lists:     []string{"cli.histories"},
		types:     []string{"cli.History"},
		functions: []string{"cli.grep(1)"},
		methods:   []string{"*.select(1)", "*.changes(1)", "*.explain(1)"},
		likely:    []string{"*.toSelect(1)"},
	}
)

// patterns returns the calls that the API adds to those of the markers, by name.
func (a *api) patterns() map[string][]callPattern {
	all := map[string][]callPattern{}
	add := func(list []string, form Form, likely, function bool) {
		for _, text := range list {
			name, p, _ := parseCall(text) // a test checks that they are valid
			p.form, p.untyped, p.optional, p.likely = form, true, true, likely
			if function {
				p.receiver, p.anywhere = nil, true
			}
			all[name] = append(all[name], p)
		}
	}
	add(a.functions, Selector, false, true)
	add(a.methods, Selector, false, false)
	add(a.likely, Selector, true, false)
	add(a.positions, Position, false, false)
	add(a.targets, Target, false, false)
	return all
}

// calls returns the calls that the API adds to those of the markers.
func (a *api) calls(name string) []callPattern {
	if a == nil {
		return nil
	}
	a.once.Do(func() { a.byName = a.patterns() })
	return a.byName[name]
}

// mayCall reports whether a text may have a call that the API adds.
func (a *api) mayCall(text string) bool {
	a.calls("")
	if a == nil {
		return false
	}
	for name := range a.byName {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// isRoot reports whether the path of a module is that of PACT.
func (a *api) isRoot(path string) bool {
	for _, root := range a.roots {
		if rest, ok := strings.CutPrefix(path, root); ok && (rest == "" || rest[0] == '/' || rest[0] == '.') {
			return true
		}
	}
	return false
}

// foreign says how a language names other libraries whose functions take selectors or queries.
type foreign struct {
	// modules are parts of the paths of modules. What follows a part after a sign counts too, as in
	// d3-selection.
	modules string
	// words are names that only programs with such a library, or with the DOM, have.
	words string
}

var (
	pythonForeign = newForeign(foreign{
		modules: `bs4 beautifulsoup4 beautifulsoup soupsieve parsel scrapy lxml selenium appium seleniumbase playwright pyppeteer
			patchright camoufox pyquery cssselect cssselect2 splinter mechanicalsoup mechanize requests_html selectolax tinycss
			tinycss2 cssutils html5lib htmlement html_text nodriver helium drissionpage botasaurus zendriver undetected_chromedriver
			robobrowser gazpacho scrapling crawl4ai crawlee autoscraper newspaper trafilatura readability webtest django_webtest
			inscriptis weasyprint elementpath xmltodict 
			 elasticsearch_dsl textual premailer css_inline hext justext extruct weblib grab domonic
			dominate minidom jsonpath_ng jsonpath capybara browserbase stagehand behave_webdriver pactkit`,
		words: `BeautifulSoup BeautifulStoneSoup SoupStrainer Soup SoupTest soup WebDriver webdriver PyQuery HTMLParser HtmlResponse
			find_element find_elements find_element_by_css_selector query_selector query_selector_all CSSSelector HTMLSession css_first
			SelectorList css_select select_one querySelector querySelectorAll`,
	})
	scriptForeign = newForeign(foreign{
		modules: `selenium selenium-webdriver playwright @playwright puppeteer cypress @cypress d3 jquery zepto cash-dom sizzle cheerio
			css-select css-what css-tree cssselect jsdom testing-library enzyme nightwatch webdriverio wdio testcafe zombie linkedom
			happy-dom nwsapi nwmatcher domutils htmlparser2 parse5 posthtml rehype hast-util-select unist-util-select
			postcss-selector-parser postcss esquery tsquery xpath xpath.js fontoxpath x-ray osmosis crawlee apify lightningcss detox
			appium qwery bonzo ender dom7 umbrellajs underscore.dom snap.svg snapsvg svg.js svgdotjs plotly vega nokogiri node-html-parser
			htmljs fast-xml-parser xmldom domhandler dom-serializer domino basichtml uhtml snabbdom 
			      jquery-ui leaflet mapbox openlayers
			cytoscape sigma konva 
			     jsonpath select2 selectize aurelia
			    marionette dojo mootools prototypejs protractor codeceptjs taiko selenide gauge karate`,
		words: `querySelector querySelectorAll getElementById getElementsByClassName getElementsByTagName
			  jQuery d3 cy Cypress puppeteer playwright cheerio webdriver waitForSelector $ $$`,
	})
	goForeign = newForeign(foreign{
		modules: `goquery cascadia colly htmlquery xmlquery xpath chromedp cdp go-rod rod playwright-go selenium webdriver agouti css
			csskit htmlutil soup etree geziyor surf gokogiri hquery antch jsonquery gjson jsonpath 
			            tview cssselector 
			jquery gopherjs vugu vecty`,
		words: `goquery cascadia querySelector QuerySelector`,
	})
	rustForeign = newForeign(foreign{
		modules: `scraper select kuchiki kuchikiki html5ever selectors cssparser fantoccini thirtyfour headless_chrome chromiumoxide
			playwright web_sys tl visdom nipper dom_query markup5ever lol_html lightningcss crabquery unhtml soup easy_scraper
			sxd_xpath jsonpath jsonpath_lib`,
		words: `Html ElementRef WebDriver query_selector`,
	})
	javaForeign = newForeign(foreign{
		modules: `jsoup selenium openqa htmlunit playwright selenide jodd jerry xpath anglesharp appium cssparser selenese geb
			webdriver jauntium ui4j gargoylesoftware css jspoon crawler4j webmagic 
			jayway jsonpath w3c dom4j jdom xom vaadin gwt elemental2 javafx testfx`,
		words: `Jsoup WebDriver HtmlPage querySelector By`,
	})
	rubyForeign = newForeign(foreign{
		modules: `nokogiri capybara watir selenium selenium-webdriver mechanize oga hpricot ferrum cuprite apparition poltergeist
			rails-dom-testing loofah premailer css_parser nokolexbor wombat kimurai scrubyt site_prism webdrivers rexml sanitize
			html-pipeline roadie vessel spidr anemone pismo upton rspec_html_matchers
			rails_helper system_helper feature_helper capybara_helper spec_helper test_helper`,
		words: `Nokogiri Capybara Watir Selenium Mechanize Oga Hpricot Ferrum assert_select css_select at_css have_css have_selector
			page visit within`,
	})
)

// names are the words of a table.
type names map[string]bool

// foreignNames is a compiled table.
type foreignNames struct{ modules, words names }

func newForeign(f foreign) *foreignNames {
	read := func(list string, lower bool) names {
		all := names{}
		for name := range strings.FieldsSeq(list) {
			if lower {
				name = strings.ToLower(strings.TrimPrefix(name, "@"))
			}
			all[name] = true
		}
		return all
	}
	return &foreignNames{read(f.modules, true), read(f.words, false)}
}

// isModule reports whether a part of the path of a module is in the table.
func (f *foreignNames) isModule(path string) bool {
	for _, part := range moduleParts(strings.ToLower(path)) {
		for {
			if f.modules[part] {
				return true
			}
			i := strings.LastIndexAny(part, "-_")
			if i < 0 {
				break
			}
			part = part[:i]
		}
	}
	return false
}

// isContract reports whether the path of a module, which is not one of PACT, names Pact, the
// library for contract tests.
func isContract(path string) bool {
	for _, part := range moduleParts(strings.ToLower(path)) {
		for word := range strings.FieldsFuncSeq(part, func(c rune) bool { return c == '-' || c == '_' }) {
			if word == "pact" {
				return true
			}
		}
	}
	return false
}
