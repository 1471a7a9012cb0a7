import { isFinal } from '@/lib/verdict'

import { followVerdict } from './follow'
import { details, state, troubleLine, type ReaderVerdict, type Trouble } from './render'
import { styles } from './styles'
import { languageOf, translator } from './texts'

/** Gives a fresh reader token, from the server of the page around. */
type TokenProvider = () => string | Promise<string>

/** `<searchqa-verdict evaluation-id=… token=…>`: the verdict of one answer, on a page of any
 * origin. Attributes: `evaluation-id`, `token`, `api` (address of the API; that of this script),
 * `lang` (`ko`, `en`), `theme` (`light`, `dark`). Fires `searchqa-verdict` when it is final, with
 * the verdict as its `detail`. */
export class VerdictElement extends HTMLElement {
  static readonly observedAttributes = ['evaluation-id', 'token', 'api', 'lang']

  private readonly line = document.createElement('div')
  private readonly more = document.createElement('details')
  private readonly summary = document.createElement('summary')
  private readonly body = document.createElement('div')
  private following: AbortController | undefined
  private provider: TokenProvider | undefined
  private verdict: ReaderVerdict | undefined
  private trouble: Trouble | undefined
  private restarting = false
  private current: string | null = null

  constructor() {
    super()
    this.line.setAttribute('role', 'status')
    this.more.append(this.summary, this.body)
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [styles()]
    root.append(this.line, this.more)
  }

  /** Called when there is no token, and when one was refused: instead of, or after, the attribute
   * `token`. */
  get tokenProvider(): TokenProvider | undefined {
    return this.provider
  }

  set tokenProvider(provider: TokenProvider | undefined) {
    this.provider = provider
    this.restart()
  }

  connectedCallback(): void {
    // One that was set before the element was defined hides the setter.
    if (Object.hasOwn(this, 'tokenProvider')) {
      const { tokenProvider } = this
      delete (this as { tokenProvider?: TokenProvider }).tokenProvider
      this.provider = tokenProvider
    }
    this.restart()
  }

  disconnectedCallback(): void {
    this.following?.abort()
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return
    if (name === 'lang') this.show()
    else this.restart()
  }

  /** Once for all that the page changes in one go. */
  private restart(): void {
    this.following?.abort()
    if (this.restarting) return
    this.restarting = true
    queueMicrotask(() => {
      this.restarting = false
      this.start()
    })
  }

  private start(): void {
    const id = this.getAttribute('evaluation-id')
    const known = this.verdict?.id === id ? this.verdict : undefined
    this.verdict = known
    this.current = null
    this.trouble = undefined
    this.show()
    if (!this.isConnected || !id || (known && isFinal(known.status))) return
    this.following = new AbortController()
    const { signal } = this.following
    void followVerdict({
      url: this.address(id),
      signal,
      token: (renew) => this.token(renew),
      onVerdict: (verdict) => {
        if (signal.aborted) return
        this.verdict = verdict
        this.trouble = undefined
        this.show()
        if (isFinal(verdict.status)) this.announce(verdict)
      },
      onTrouble: (trouble) => {
        this.trouble = trouble
        this.show()
      },
    })
  }

  private address(id: string): string {
    const api = this.getAttribute('api') ?? new URL(/* @vite-ignore */ '..', import.meta.url).href
    return `${api.replace(/\/+$/, '')}/qa-evaluations/${encodeURIComponent(id)}`
  }

  private async token(renew: boolean): Promise<string | null> {
    if (renew) this.current = null
    else this.current ??= this.getAttribute('token')
    this.current ??= (await this.provider?.()) ?? null
    return this.current
  }

  private announce(detail: ReaderVerdict): void {
    const options = { detail, bubbles: true, composed: true }
    this.dispatchEvent(new CustomEvent('searchqa-verdict', options))
  }

  private show(): void {
    const language = languageOf(this)
    const t = translator(language)
    this.line.lang = this.more.lang = language
    const { verdict } = this
    // A verdict that is there stays while the server is away for a moment.
    const trouble = this.trouble === 'unreachable' && verdict ? undefined : this.trouble
    const shown =
      verdict && !trouble ? state(verdict, t, language) : troubleLine(trouble ?? 'loading', t)
    if (shown.outerHTML !== this.line.innerHTML) this.line.replaceChildren(shown)
    const found = verdict && !trouble ? details(verdict, t, language) : []
    this.more.hidden = found.length === 0
    this.summary.textContent = t('details')
    this.body.replaceChildren(...found)
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'searchqa-verdict': VerdictElement
  }
}
