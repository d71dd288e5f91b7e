import { select, type Selection } from 'd3-selection'

interface Item { id: string; ttl: number }

export function draw(items: Item[]): Selection<SVGGElement, unknown, HTMLElement, unknown> {
  const root = select<SVGSVGElement, unknown>('svg#items')
  const tip = root.select<SVGGElement>('g.tip[ttl]')
  tip.select('text.d1').text(`${items.length} items`)
  root.select(".edge[data-kind='old'] ~ .edge").classed('old', true)
  root.select('.node::before')
  return root.select<SVGGElement>('g > *:nth-child(2n+1)')
}
