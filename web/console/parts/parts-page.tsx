// Every part that pages are built of, in its states: what a change of the design system changes is
// seen here first. Not in the bar; /logeye/parts.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { BarChart } from '../../shared/charts/bar-chart.tsx'
import { GrowthChart } from '../../shared/charts/growth-chart.tsx'
import { printCount } from '../../shared/format.ts'
import { Banner } from '../../shared/parts/banner.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { Menu } from '../../shared/parts/menu.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { Tabs } from '../../shared/parts/tabs.tsx'
import { Toasts, toast } from '../../shared/parts/toast.tsx'
import { Progress } from '../../shared/waiting/progress.tsx'
import './parts-page.css'

const DAYS = ['1 Mar', '2 Mar', '3 Mar', '4 Mar', '5 Mar', '6 Mar', '7 Mar']
const COUNTS = [1200, 1850, 950, 2100, 1740, 400, 380]
const COLOURS = ['accent', 'error', 'warning', 'info', 'debug', 'good']
const TABS = ['first', 'second', 'third'] as const

export function PartsPage() {
  const [text, setText] = useState('payments')
  const [choice, setChoice] = useState('one')
  const [tab, setTab] = useState<(typeof TABS)[number]>('first')
  const [isOpen, setOpen] = useState(false)
  const nothing = () => undefined
  return (
    <div class="parts">
      <h1>Parts</h1>
      <Part name="Buttons">
        <Button look="main">Main</Button>
        <Button look="danger">Danger</Button>
        <Button>Bordered</Button>
        <Button look="plain">Plain</Button>
        <Button look="plain" isOn>
          On
        </Button>
        <Button look="main" disabled>
          Disabled
        </Button>
        <Button disabled>Disabled</Button>
      </Part>
      <Part name="Fields">
        <Field label="Name" name="name" value={text} help="What it is called." onInput={setText} />
        <Field
          label="Wrong"
          name="wrong"
          value="x"
          error="At least two letters."
          onInput={setText}
        />
        <Field label="Password" name="secret" type="password" value="secret" onInput={nothing} />
        <Select
          {...{ label: 'Choice', name: 'choice', value: choice, onChoose: setChoice }}
          options={[
            ['one', 'The first'],
            ['two', 'The second'],
          ]}
        />
      </Part>
      <Part name="Menus, tabs, dialogs">
        <Menu
          label="Menu ▾"
          items={[
            { name: 'An act', onChoose: nothing },
            { name: 'What is on', isOn: true, onChoose: nothing },
          ]}
        />
        <Tabs
          {...{ label: 'Tabs', chosen: tab, onChoose: setTab }}
          tabs={TABS.map((name) => ({ name, text: `The ${name}` }))}
        />
        <Button onClick={() => setOpen(true)}>Open a dialog</Button>
        <Button onClick={() => toast('It is done.')}>Say it</Button>
      </Part>
      <Part name="Banners">
        <div class="grow">
          <Banner kind="info">What is good to know.</Banner>
          <Banner kind="warning" acts={<Button>Mend it</Button>}>
            What should be looked at.
          </Banner>
          <Banner kind="error" acts={<Button>Try again</Button>}>
            What has failed, and why.
          </Banner>
        </div>
      </Part>
      <Part name="Progress and emptiness">
        <div class="parts-busy">
          <Progress isBusy label="It is read" />
        </div>
        <Empty title="Nothing here yet">
          <p class="soft">Why, and what to do.</p>
          <Button look="main">Make the first</Button>
        </Empty>
      </Part>
      <Part name="Text and colours">
        <p>
          Body text, <span class="soft">soft text</span>, <b>strong</b>,{' '}
          <a href="#parts">where it leads</a>, <code>code</code>, <kbd>k</kbd>,{' '}
          <span class="tabular">12,345.67</span>
        </p>
        <ul class="parts-colours">
          {COLOURS.map((name) => (
            <li key={name} class={`parts-${name}`}>
              {name}
            </li>
          ))}
        </ul>
      </Part>
      <Part name="Charts">
        <div class="parts-chart">
          <BarChart
            label="Events of seven days"
            series={['cart', 'payments']}
            bars={DAYS.map((label, at) => ({
              ...{ label, title: label },
              values: [COUNTS[at] ?? 0, (COUNTS[at] ?? 0) / 3],
            }))}
            print={printCount}
          />
        </div>
        <div class="parts-chart">
          <GrowthChart
            label="Sum of a period"
            days={DAYS}
            sums={[1200, 3050, 4000, 6100]}
            limit={{ value: 11_000, name: 'Allowed' }}
            forecast={{ middle: 9800, low: 9000, high: 10_600 }}
            print={printCount}
          />
        </div>
      </Part>
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>It keeps the focus, and gives it back.</p>
          <div class="row">
            <Button look="main" onClick={() => setOpen(false)}>
              Close
            </Button>
          </div>
        </Dialog>
      )}
      <Toasts />
    </div>
  )
}

function Part({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <section class="parts-one" aria-label={name}>
      <h2>{name}</h2>
      <div class="parts-row">{children}</div>
    </section>
  )
}
