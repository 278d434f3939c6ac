export type Measures = Record<'recall@1' | 'recall@10' | 'mrr' | 'ndcg@10', number>

/** How well a ranking finds what is right: share found, place of the first, and both in one (NDCG, binary). */
export function measured(ranked: string[], gold: Set<string>): Measures {
  const recall = (most: number) => ranked.slice(0, most).filter((id) => gold.has(id)).length / gold.size
  const first = ranked.findIndex((id) => gold.has(id))
  const gain = (place: number) => 1 / Math.log2(place + 2)
  let found = 0
  for (const [place, id] of ranked.slice(0, 10).entries()) if (gold.has(id)) found += gain(place)
  let ideal = 0
  for (let place = 0; place < Math.min(10, gold.size); place++) ideal += gain(place)
  return {
    'recall@1': recall(1),
    'recall@10': recall(10),
    mrr: first < 0 ? 0 : 1 / (first + 1),
    'ndcg@10': found / ideal,
  }
}

export function mean(list: Measures[], measure: keyof Measures): number {
  const sum = list.reduce((all, each) => all + each[measure], 0)
  return Math.round((sum / list.length) * 10_000) / 10_000
}
