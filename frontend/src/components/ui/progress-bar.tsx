import { cn } from '@/lib/cn'

const TONES = {
  success: 'bg-success',
  warning: 'bg-warning',
  danger: 'bg-danger',
  neutral: 'bg-primary',
}

interface Props {
  label: string
  /** 0 to 1. */
  value: number
  tone?: keyof typeof TONES
  /** The text beside the bar; a percentage without it. */
  text?: string
}

export function ProgressBar({ label, value, tone = 'neutral', text }: Props) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  const shown = text ?? `${percent}%`
  return (
    <div className="grid gap-1 text-sm">
      <div className="flex justify-between gap-2">
        <span className="first-letter:uppercase">{label}</span>
        <span className="tabular-nums">{shown}</span>
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={shown}
        className="bg-muted h-2 overflow-hidden rounded-full"
      >
        <div className={cn('h-full rounded-full', TONES[tone])} style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
