import { lazy, Suspense, type ComponentProps } from 'react'

// Reading Markdown takes code that a page without answers does not need.
const AnswerMarkdown = lazy(async () => ({
  default: (await import('./AnswerMarkdown')).AnswerMarkdown,
}))

/** An answer, its Markdown rendered; as it is written until that can be done. */
export function Answer(props: ComponentProps<typeof AnswerMarkdown>) {
  return (
    <Suspense
      fallback={
        <p data-loading className="whitespace-pre-wrap">
          {props.text}
        </p>
      }
    >
      <AnswerMarkdown {...props} />
    </Suspense>
  )
}
