import '@fontsource-variable/inter/wght.css'
import '../shared/styles/tokens.css'
import '../shared/styles/base.css'
import { render } from 'preact'
import { followLinks } from '../shared/address.ts'
import { applySettings } from '../shared/settings.ts'
import { App } from './shell/app.tsx'
import { dropCredentials } from './shell/load-search.ts'

const page = document.querySelector('#page')
dropCredentials()
applySettings()
followLinks()
if (page !== null) render(<App />, page)
