import type { PromptVersion } from '@/hooks/useJudgePrompts'
import type { Schema } from '@/lib/api'

type Lang = 'ko' | 'en'

/** A version that can be tried, with its instructions by language. */
export interface Choice {
  version: string
  /** The shipped prompt of which sections and form are. */
  base: string
  texts: Partial<Record<Lang, string>>
  own: boolean
}

/** Those that come with the program, then the workspace's that are not retired. */
export function choicesOf(
  shipped: readonly Schema<'ShippedPrompt'>[],
  own: readonly PromptVersion[],
): Choice[] {
  return [
    ...shipped.map(({ version, texts }) => ({ version, base: version, texts, own: false })),
    ...own
      .filter(({ retired_at }) => retired_at === null)
      .map(({ reference, base, texts }) => ({ version: reference, base, texts, own: true })),
  ]
}

export const langOf = (lang: string): Lang => (lang === 'en' ? 'en' : 'ko')

/** Whether a judge is sent prompts: rules and detectors are not. */
export const takesPrompts = (model: string) => !/^(offline|local):/.test(model)
