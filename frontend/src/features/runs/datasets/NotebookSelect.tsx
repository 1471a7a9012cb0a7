import { Select } from '@/components/ui'
import { useNotebooks } from '@/hooks/workspace'

interface Props {
  label: string
  value: string
  onValue: (id: string) => void
  /** What no notebook means; without it one must be chosen. */
  none?: string
  hint?: string | undefined
}

export function NotebookSelect({ none, ...field }: Props) {
  const notebooks = useNotebooks()
  return (
    <Select
      {...field}
      required={none === undefined}
      options={
        notebooks.data?.map(({ id, name, notes }) => ({ value: id, text: `${name} (${notes})` })) ??
        []
      }
      none={none ?? ''}
    />
  )
}
