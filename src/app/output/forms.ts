/** The forms in which things can be had. */
export type OutputForm = 'yaml' | 'json' | 'plan'

/** `text` is for people, the others for programs. */
export type DataForm = 'text' | 'json' | 'yaml'
