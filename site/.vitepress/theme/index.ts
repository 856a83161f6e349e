import type { Theme } from 'vitepress'
import base from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { copyCommandsOnly } from './copy.ts'
import { handleLost } from './lost.ts'
import NotFound from './NotFound.vue'
import './style.css'

export default {
  extends: base,
  Layout: () => h(base.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp: ({ router }) => {
    copyCommandsOnly()
    handleLost(router)
  },
} satisfies Theme
