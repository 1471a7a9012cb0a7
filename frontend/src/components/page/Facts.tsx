import type { ReactNode } from 'react'

/** Names with their values, side by side where there is room. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-muted-foreground text-xs">{name}</dt>
          <dd className="tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
