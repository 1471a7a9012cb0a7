import { useEffect, useState } from 'react'

/** Whether `ms` milliseconds have passed since it was first shown. */
export function useLater(ms: number): boolean {
  const [later, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return later
}
