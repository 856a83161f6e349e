/** With a capital letter at the beginning. */
export const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
