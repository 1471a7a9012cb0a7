import { createStore } from 'zustand/vanilla'

import type { Schema } from '@/lib/api'
import { ApiError } from '@/lib/problem'

type Item = Schema<'LabelItem'>
type Queue = Schema<'LabelQueue'>

/** What somebody says of one answer; stored once it has a label. */
export interface Draft {
  label: Schema<'HumanFeedbackView'>['label'] | null
  utility: Schema<'HumanFeedbackView'>['utility_label']
  comment: string
}

export interface Entry {
  item: Item
  draft: Draft
  /** As the server has it. */
  stored: Draft
  labelId: string | null
  saving: boolean
  error: unknown
}

/** Where the answers come from and their labels go. All throw what `data` of `lib/api` does. */
export interface LabelServer {
  reserve: (held: string[], count: number) => Promise<Queue>
  release: () => Promise<unknown>
  /** Answers with the id of the label. */
  store: (evaluationId: string, draft: Draft) => Promise<string>
  remove: (evaluationId: string, labelId: string) => Promise<unknown>
}

export interface Snapshot {
  entries: readonly Entry[]
  /** The place of the answer that is shown; behind the last one when there are no more. */
  at: number
  loading: boolean
  loadError: unknown
  author: string | null
  drawn: number | null
  /** What could be labelled when the server was asked last, and how many were labelled here. */
  remaining: number
  labelledThen: number
  undone: boolean
}

const NOTHING: Draft = { label: null, utility: null, comment: '' }
// Loaded before they are shown.
const AHEAD = 2
// As many as the API takes.
const MAX_HELD = 500

/** One person's way through the answers: what is loaded ahead, said, stored and undone. What is said
 * shows at once and is stored behind it; what cannot be stored is kept, to be tried again. */
export class LabelSession {
  readonly store = createStore<Snapshot>(() => ({
    entries: [],
    at: 0,
    loading: false,
    loadError: null,
    author: null,
    drawn: null,
    remaining: 0,
    labelledThen: 0,
    undone: false,
  }))
  /** Answers by the time of their last labels. */
  private labelled: string[] = []
  private asked: Promise<unknown> = Promise.resolve()

  constructor(private readonly server: LabelServer) {}

  private get snapshot(): Snapshot {
    return this.store.getState()
  }

  get unsaved(): boolean {
    return this.snapshot.entries.some((entry) => entry.saving || differs(entry))
  }

  get canUndo(): boolean {
    return this.labelled.length > 0
  }

  /** Loads what is shown next, unless it is there. `fresh`: asks even where there was nothing. */
  async load(fresh = false): Promise<void> {
    const { entries, at, loading } = this.snapshot
    const count = at + 1 + AHEAD - entries.length
    if (loading || count <= 0) return
    this.store.setState({ loading: true, loadError: null })
    let came = 0
    try {
      // How many are left is right only without labels on their way.
      if (fresh) await this.settled()
      came = await this.reserve(count)
    } catch (error) {
      this.store.setState({ loading: false, loadError: error })
      return
    }
    this.store.setState({ loading: false })
    const behind = this.snapshot.at === this.snapshot.entries.length
    if (came > 0) void this.load()
    else if (behind && !fresh) void this.load(true)
  }

  /** Keeps what is open from being given to somebody else. */
  async renew(): Promise<void> {
    await this.reserve(0)
  }

  async close(): Promise<void> {
    // A call on its way would reserve again.
    if (this.snapshot.loading) await this.asked
    await this.server.release()
  }

  go(by: 1 | -1): void {
    const { entries, at } = this.snapshot
    this.store.setState({ at: Math.min(entries.length, Math.max(0, at + by)), undone: false })
    void this.load(this.snapshot.at === entries.length)
  }

  /** Adds to what is said of the answer that is shown, and stores it. */
  edit(words: Partial<Draft>): void {
    const id = this.write(words)
    if (id === undefined) return
    if (words.label) this.labelled = [...this.labelled.filter((each) => each !== id), id]
    this.store.setState({ undone: false })
    void this.save(id)
  }

  /** The same, not stored yet, as while somebody types. Returns the answer's id. */
  write(words: Partial<Draft>): string | undefined {
    const entry = this.snapshot.entries[this.snapshot.at]
    if (entry) this.change(entry.item.answer_id, { draft: { ...entry.draft, ...words } })
    return entry?.item.answer_id
  }

  /** Takes the last label back, and shows its answer. */
  undo(): void {
    const id = this.labelled.pop()
    if (id === undefined) return
    const at = this.snapshot.entries.findIndex(({ item }) => item.answer_id === id)
    const { draft } = this.snapshot.entries[at] ?? { draft: NOTHING }
    this.store.setState({ at, undone: true })
    this.change(id, { draft: { ...draft, label: null } })
    void this.save(id)
  }

  /** Stores what the server lacks. */
  saveAll(): void {
    for (const entry of this.snapshot.entries) {
      if (differs(entry)) void this.save(entry.item.answer_id)
    }
  }

  /** One call at a time, because what it does not hold is given to others. Returns how many
   * answers came. */
  private reserve(count: number): Promise<number> {
    const came = this.asked.then(() => this.ask(count))
    this.asked = came.catch(() => undefined)
    return came
  }

  private async ask(count: number): Promise<number> {
    const { entries } = this.snapshot
    const open = entries.filter(({ stored }) => stored.label === null)
    const held = open.slice(-MAX_HELD).map(({ item }) => item.answer_id)
    const queue = await this.server.reserve(held, count)
    const { author, drawn, remaining } = queue
    this.store.setState({ author, drawn, remaining, labelledThen: entries.length - open.length })
    return this.take(queue.items)
  }

  private take(items: readonly Item[]): number {
    const { entries } = this.snapshot
    const known = new Set(entries.map(({ item }) => item.answer_id))
    const added = items
      .filter(({ answer_id }) => !known.has(answer_id))
      .map((item) => ({
        item,
        draft: NOTHING,
        stored: NOTHING,
        labelId: null,
        saving: false,
        error: null,
      }))
    this.store.setState({ entries: [...entries, ...added] })
    return added.length
  }

  /** One call at a time for an answer, until the server has what is said. */
  private async save(id: string): Promise<void> {
    if (this.entry(id)?.saving) return
    this.change(id, { saving: true, error: null })
    try {
      for (let entry = this.entry(id); entry && differs(entry); entry = this.entry(id)) {
        this.change(id, await this.send(entry))
      }
    } catch (error) {
      this.change(id, { error })
    }
    this.change(id, { saving: false })
  }

  private async send({ item, draft, labelId }: Entry): Promise<Partial<Entry>> {
    if (draft.label !== null) {
      return { labelId: await this.server.store(item.evaluation_id, draft), stored: draft }
    }
    if (labelId !== null) {
      await this.server.remove(item.evaluation_id, labelId).catch((error: unknown) => {
        // Deleted elsewhere is deleted.
        if (!(error instanceof ApiError && error.status === 404)) throw error
      })
    }
    return { labelId: null, stored: NOTHING }
  }

  /** Once no label is on its way. */
  async settled(): Promise<void> {
    while (this.snapshot.entries.some(({ saving }) => saving)) {
      await new Promise<void>((resolve) => {
        const stop = this.store.subscribe(() => {
          stop()
          resolve()
        })
      })
    }
  }

  private entry(id: string): Entry | undefined {
    return this.snapshot.entries.find(({ item }) => item.answer_id === id)
  }

  private change(id: string, change: Partial<Entry>): void {
    this.store.setState({
      entries: this.snapshot.entries.map((entry) =>
        entry.item.answer_id === id ? { ...entry, ...change } : entry,
      ),
    })
  }
}

/** Whether the server lacks what is said. Without a label nothing is stored, whatever else is. */
function differs({ draft, stored }: Entry): boolean {
  if (draft.label === null) return stored.label !== null
  return (
    draft.label !== stored.label ||
    draft.utility !== stored.utility ||
    draft.comment !== stored.comment
  )
}
