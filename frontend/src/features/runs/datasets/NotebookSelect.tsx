import { Select } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

interface Props {
  label: string
  value: string
  onChange: (id: string) => void
  /** What no notebook means; without it one must be chosen. */
  none?: string
  hint?: string | undefined
}

export function NotebookSelect({ label, value, onChange, none, hint }: Props) {
  const notebooks = useNotebooks()
  return (
    <Select
      label={label}
      value={value}
      hint={hint}
      required={none === undefined}
      onValue={onChange}
      options={
        notebooks.data?.map(({ id, name, notes }) => ({ value: id, text: `${name} (${notes})` })) ??
        []
      }
      none={none ?? ''}
    />
  )
}
