import type { Theme } from 'vitepress'
import base from 'vitepress/theme-without-fonts'
import { copyCommandsOnly } from './copy.ts'
import './style.css'

export default { extends: base, enhanceApp: copyCommandsOnly } satisfies Theme
