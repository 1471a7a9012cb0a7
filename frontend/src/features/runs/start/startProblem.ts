import { ApiError } from '@/lib/problem'

interface FieldProblems {
  k?: string | undefined
  retrieval?: string | undefined
}

/** The refusal of a run at the fields that it is about; nothing of it when it is about others. */
export function startProblem(error: Error | null, retrieval: string): FieldProblems {
  if (!(error instanceof ApiError)) return {}
  const { errors } = error.problem
  const of = (field: string) => errors?.find(({ at }) => at.endsWith(field))?.message
  const refused = error.code === 'no-vectors' || (error.status === 422 && !errors)
  return {
    k: of('.k'),
    retrieval: of('.retrieval') ?? (refused && retrieval !== 'text' ? error.message : undefined),
  }
}
