import type { ReactNode } from 'react'

/** A part of a verdict under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="text-sm">
      <h3 className="mb-1 font-semibold">{title}</h3>
      {children}
    </section>
  )
}
