import { ApiError } from '@/lib/problem'

export const MODEL_FIELDS = ['judge_model', 'answer_model', 'prompt'] as const
export type ModelField = (typeof MODEL_FIELDS)[number]
/** A text for each; the name of a model, or what is wrong with it. */
export type ModelNames = Partial<Record<ModelField, string>>

interface FieldProblems extends ModelNames {
  k?: string | undefined
  retrieval?: string | undefined
}

const MODEL_CODES: Record<string, ModelField> = {
  'judge-not-in-policy': 'judge_model',
  'no-such-judge': 'judge_model',
  'answer-model-not-in-policy': 'answer_model',
  'no-such-answer-model': 'answer_model',
  'no-such-prompt': 'prompt',
}

/** The refusal of a run at the fields that it is about; nothing of it when it is about others. */
export function startProblem(error: unknown, retrieval: string): FieldProblems {
  if (!(error instanceof ApiError)) return {}
  const { errors } = error.problem
  const of = (field: string) => errors?.find(({ at }) => at.endsWith(field))?.message
  const field = MODEL_CODES[error.code]
  if (field) return { [field]: error.message }
  const refused = error.code === 'no-vectors' || (error.code === 'invalid-request' && !errors)
  return {
    k: of('.k'),
    retrieval: of('.retrieval') ?? (refused && retrieval !== 'text' ? error.message : undefined),
  }
}
