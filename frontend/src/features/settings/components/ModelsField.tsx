import { useTranslation } from 'react-i18next'

import { Input } from '@/components/ui'
import { dollars, localDate } from '@/lib/figures'
import { matches } from '@/lib/matches'

import { type OfferedModel, useOfferedModels } from '../api/policy'
import { models } from '../policyFields'

interface Props {
  label: string
  hint?: string | undefined
  error?: string | undefined
  placeholder: string
  value: string
  /** Whether it takes a list, separated by commas. */
  several?: boolean
  onChange: (value: string) => void
}

/** Models, typed or chosen from what the servers offer, which is listed while the field is used. */
export function ModelsField({ several = false, onChange, ...field }: Props) {
  const { t } = useTranslation('settings')
  const { data: offered } = useOfferedModels()
  const items = offered?.models ?? []
  const written = models(field.value)
  const last = /[^\s,]*$/.exec(field.value)?.[0] ?? ''
  const isTyping = last !== '' && !items.some(({ model }) => model === last)
  const choose = (model: string) => {
    if (!several) {
      onChange(model)
      return
    }
    const others = (isTyping ? written.slice(0, -1) : written).filter((each) => each !== model)
    onChange([...others, ...(written.includes(model) ? [] : [model])].join(', '))
  }
  return (
    <div className="group relative">
      <Input {...field} verbatim onValue={onChange} />
      <div className="bg-card border-border absolute top-full z-10 mt-1 hidden max-h-64 w-full overflow-y-auto rounded-md border p-1 text-sm shadow-lg group-focus-within:block empty:hidden!">
        {items
          .filter(({ model }) => !isTyping || matches(last, model))
          .map((item) => (
            <button
              key={item.model}
              type="button"
              aria-pressed={written.includes(item.model)}
              className="hover:bg-muted aria-pressed:bg-accent aria-pressed:text-accent-foreground grid w-full rounded px-2 py-1 text-left"
              // The field keeps the focus, and with it this list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(item.model)}
            >
              <span className="font-medium break-all">{item.model}</span>
              <State of={item} />
            </button>
          ))}
        {!!offered?.unreachable.length && (
          <p className="text-warning-foreground px-2 py-1">
            {t('models.silent', { names: offered.unreachable.join(', ') })}
          </p>
        )}
      </div>
    </div>
  )
}

function State({ of }: { of: OfferedModel }) {
  const { model, prompt_usd, completion_usd, paused, ends_on } = of
  const { t } = useTranslation('settings')
  const blanks = { prompt: dollars(prompt_usd), completion: dollars(completion_usd) }
  const price = prompt_usd === null ? 'unpriced' : prompt_usd || completion_usd ? 'price' : 'free'
  const states = [
    t(`models.${price}`, blanks),
    !/^(offline|local):/.test(model) && t(paused ? 'models.paused' : 'models.reachable'),
    ends_on !== null && t('models.ends', { date: localDate(ends_on) }),
  ]
  const isBad = paused || ends_on !== null
  return (
    <span className={isBad ? 'text-warning-foreground' : 'opacity-80'}>
      {states.filter(Boolean).join(' · ')}
    </span>
  )
}
