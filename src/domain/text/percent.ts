/** Decodes percent escapes, as in the user info of a URL. Text in which a percent sign begins no escape is kept. */
export const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
