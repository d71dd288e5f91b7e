require "nokogiri"
require "capybara/rspec"

page = Nokogiri::HTML(File.read("items.html"))
items = page.select(".item:not(.mt)")
select "Blue", from: "items"
page.select(".cb", from: "items")
%w[a b].select { |x| x }
form.select "#items > option"
