import { useState, type ComponentProps, type KeyboardEvent } from 'react'

import { Input } from '@/components/ui'

interface Props extends Omit<ComponentProps<typeof Input>, 'onChange' | 'value'> {
  value: string
  onValue: (value: string) => void
}

/** Taken over when it is left or by Enter, so that not every letter is asked for. Give it the value
 * as its key, since it may change elsewhere. */
export function TextFilter({ value, onValue, ...rest }: Props) {
  const [text, setText] = useState(value)
  const take = () => {
    if (text !== value) onValue(text)
  }
  return (
    <Input
      {...rest}
      value={text}
      onValue={setText}
      onBlur={take}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) take()
      }}
    />
  )
}
