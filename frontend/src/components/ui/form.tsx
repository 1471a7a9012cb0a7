import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void
}

/** A form that the page sends itself, and not that of the page around a dialog. */
export function Form({ onSubmit, ...rest }: Props) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}
