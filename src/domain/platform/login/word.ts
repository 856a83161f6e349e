/** A pair of words that both the terminal and the page show, so that a person can see that they belong together. */
import { sha256 } from '../../text/sha256.ts'

const first =
  'amber azure bold brave brisk calm clear cool coral crisp dark deep eager early fair fast fine fresh gentle gold grand green happy honest indigo ivory jade jolly keen kind late light lively lucky mellow mild misty neat noble olive pale plain proud pure quick quiet rapid ready rosy royal ruby rustic sharp silent silver smart soft solid sunny swift tall warm wild wise'
const second =
  'badger beaver bison bobcat camel canary cobra condor coyote crane dingo dolphin donkey eagle falcon ferret finch gazelle gecko goose hamster heron hornet ibis iguana jackal jaguar kestrel koala lemur leopard lizard lobster lynx magpie marmot mole moose newt ocelot orca osprey otter panda panther parrot pelican penguin pigeon puffin python rabbit raven robin salmon seal shark spider swan tiger toucan turtle walrus wombat'

const wordsOf = (text: string): ReadonlyArray<string> => text.split(' ')

const pick = (words: ReadonlyArray<string>, hex: string): string => words[Number.parseInt(hex, 16) % words.length] ?? ''

/** `challenge`: of the login (PKCE), which the terminal sends through the browser. */
export const wordOf = (challenge: string): string => {
  const hash = sha256(`devtool login ${challenge}`)
  return `${pick(wordsOf(first), hash.slice(0, 8))}-${pick(wordsOf(second), hash.slice(8, 16))}`
}
