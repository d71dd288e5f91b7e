import * as d3 from 'd3'
import items from './items.json'

const svg = d3.select('#chart').append('svg').attr('class', 'chart')

// Draw one bar for each of the items.
svg.selectAll('.bar')
  .data(items)
  .join('rect')
  .attr('class', 'bar')

d3.select('.axis .tick+text').attr('dy', '.35em')
d3.select(`.node[data-id="${items[0].id}"]`).classed('active', true)
svg.select('.node:hover').style('opacity', 1)
svg.select('.link.active, .link:not(.muted)').raise()
d3.select('body').select("g.legend > text:first-child").text('items')
d3.select('#row-' + items.length).remove()
svg.select('.block').remove()
svg.select('.cb, .mt > .seg').remove()
ctx.insert('.slot', 2)
ctx.replace('.old', '.new')
