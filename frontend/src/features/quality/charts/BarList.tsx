import { Link } from 'react-router'

interface Props {
  label: string
  rows: { name: string; value: number; fill: string; to: string | undefined }[]
  format: (value: number) => string
}

/** A bar for each name, in the order given; values are 0 to 1. A name leads to what is behind it. */
export function BarList({ label, rows, format }: Props) {
  return (
    <ol aria-label={label} className="grid gap-1.5">
      {rows.map(({ name, value, fill, to }, at) => (
        // Two notes may have one title.
        <li key={at} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_3.5rem] gap-2 text-sm">
          <span className="line-clamp-2 break-words" title={name}>
            {to === undefined ? (
              name
            ) : (
              <Link to={to} className="underline underline-offset-2">
                {name}
              </Link>
            )}
          </span>
          <span aria-hidden className="flex items-center">
            <span
              className="h-4 rounded-sm"
              style={{ width: `${value * 100}%`, backgroundColor: fill }}
            />
          </span>
          <span className="self-center text-right tabular-nums">{format(value)}</span>
        </li>
      ))}
    </ol>
  )
}
