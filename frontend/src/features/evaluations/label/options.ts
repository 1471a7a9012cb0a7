import { Check, CircleSlash2, X } from 'lucide-react'

export const LABEL_KEYS = [
  { key: '1', value: 'right', Icon: Check },
  { key: '2', value: 'partly', Icon: CircleSlash2 },
  { key: '3', value: 'wrong', Icon: X },
] as const

export const UTILITY_KEYS = [
  { key: '4', value: 'useful' },
  { key: '5', value: 'partly' },
  { key: '6', value: 'useless' },
] as const
