/** A text of the API, in which `backticks` mark commands and names of fields. */
export function TextWithCode({ text }: { text: string }) {
  return text.split('`').map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <code key={at} className="bg-muted text-foreground rounded px-1 font-mono wrap-anywhere">
        {part}
      </code>
    ),
  )
}
