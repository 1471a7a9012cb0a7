export interface Part {
  text: string
  /** Not in the other text. */
  changed: boolean
}

// Both cover every character. A word has the spaces behind it, of which two texts may have others.
const WORDS = /^\s+|\S+\s*/g
const SENTENCES = /[^.!?\n]+[.!?\n]*|[.!?\n]+/g
// Of the table of the longest common subsequence; 16 bits each.
const MAX_CELLS = 4_000_000

/** What two texts have in common, word by word (by eojeol in Korean), and what only one of them
 * has. Very long texts are compared sentence by sentence. */
export function textDiff(before: string, after: string): { before: Part[]; after: Part[] } {
  let [a, b] = [tokens(before, WORDS), tokens(after, WORDS)]
  if (a.length * b.length > MAX_CELLS)
    [a, b] = [tokens(before, SENTENCES), tokens(after, SENTENCES)]
  const kept = common(
    a.map((token) => token.trim()),
    b.map((token) => token.trim()),
  )
  return {
    before: parts(a, new Set(kept.map(([at]) => at))),
    after: parts(b, new Set(kept.map(([, at]) => at))),
  }
}

const tokens = (text: string, pattern: RegExp) => text.match(pattern) ?? []

/** Neighbours of one kind are one part. */
function parts(all: readonly string[], kept: ReadonlySet<number>): Part[] {
  const found: Part[] = []
  all.forEach((text, at) => {
    const changed = !kept.has(at)
    const last = found.at(-1)
    if (last?.changed === changed) last.text += text
    else found.push({ text, changed })
  })
  return found
}

/** The places of a longest common subsequence in either list. */
function common(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1
  // lengths[i * width + j]: of what a has from i on and b from j on.
  const lengths = new Uint16Array((a.length + 1) * width)
  const length = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1))
  const found: [number, number][] = []
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;)
    if (a[i] === b[j]) found.push([i++, j++])
    else if (length(i + 1, j) >= length(i, j + 1)) i++
    else j++
  return found
}
