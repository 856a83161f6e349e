/** The user of the pages, and the platform. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { CallAnswer } from '../api/routes.ts'

export type Looking = { readonly me: CallAnswer<'me'>; readonly meta: CallAnswer<'meta'> }

const LookingContext = createContext<Looking | undefined>(undefined)

export const LookingProvider = LookingContext.Provider

export const useLooking = (): Looking => {
  const looking = useContext(LookingContext)
  if (looking === undefined) throw new Error('this is shown to those who have logged in')
  return looking
}
