import type { LicenseStatus } from '../../../schemas/portal/license/status.ts'
import { useAsked } from '../../shared/asked.ts'
import { BarChart } from '../../shared/charts/bar-chart.tsx'
import { GrowthChart } from '../../shared/charts/growth-chart.tsx'
import { nowMs } from '../../shared/clock.ts'
import { printAge } from '../../shared/format.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { ask } from '../api/ask.ts'
import { hasRole, isSeller } from '../api/session.ts'
import { parseLines, readUsageLines } from '../api/usage.ts'
import { Explained } from '../parts/explained.tsx'
import { Page } from '../parts/page.tsx'
import { printBytes, printDay, printMoney, printRounded, printShortDay } from '../parts/print.ts'
import { Stat } from '../parts/stat.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { AlertList } from './alert-list.tsx'
import { daysBetween } from './days-between.ts'

const T = WORKSPACE.overview

/** Plan against use, what is to come, credits, and what needs somebody. */
export function OverviewPage() {
  const asked = useAsked('status', (signal) => ask<LicenseStatus>('/license/status', { signal }))
  if (asked.error?.status === 404 || asked.error?.code === 'no_license')
    return (
      <Page title={WORKSPACE.pages.overview}>
        <Empty title={T.none}>
          <p class="soft">{isSeller() ? T.noneSeller : T.noneText}</p>
          <a class="button button-main" href={PATHS.offers}>
            {T.toOffers}
          </a>
        </Empty>
      </Page>
    )
  const plan = asked.answer?.plan
  return (
    <Page
      title={WORKSPACE.pages.overview}
      {...(plan === undefined
        ? {}
        : {
            intro: T.intro(plan.name, printDay(plan.period.from), printDay(plan.period.to)),
          })}
    >
      <AskedPart asked={asked}>{(status) => <Overview status={status} />}</AskedPart>
    </Page>
  )
}

function Overview({ status }: { readonly status: LicenseStatus }) {
  const { plan, actual, creditBalance: credits, forecast, alerts, deployments } = status
  const isUnlimited = plan.volumeBytesPerDay === 0
  const share = isUnlimited ? 0 : actual.bytes / plan.allowedBytes
  const silent = deployments.filter(({ state }) => state === 'silent').length
  const living = deployments.filter(({ state }) => state !== 'retired').length
  return (
    <>
      <AlertList alerts={alerts} />
      <div class="stats">
        <Stat
          label={T.used}
          value={
            <Explained
              why={[
                T.whyUsed(printBytes(actual.bytes), printDay(plan.period.from)),
                ...(isUnlimited
                  ? []
                  : [
                      T.whyAllowed(
                        printBytes(plan.volumeBytesPerDay),
                        printBytes(plan.allowedBytes),
                      ),
                    ]),
              ]}
            >
              {printBytes(actual.bytes)}
            </Explained>
          }
        >
          {isUnlimited
            ? T.unlimited
            : T.ofAllowed(`${Math.round(share * 100)} %`, printBytes(plan.allowedBytes))}
        </Stat>
        <Stat
          label={T.average}
          value={<Explained why={[T.whyAverage]}>{printBytes(actual.dailyAverageBytes)}</Explained>}
        >
          {actual.peakDay === null
            ? T.noPeak
            : T.peak(printBytes(actual.peakDay.bytes), printShortDay(actual.peakDay.date))}
        </Stat>
        <Stat
          label={T.credits}
          value={
            <Explained
              why={[
                T.whyCredits(printMoney(credits.amount, credits.currency)),
                ...(Number(credits.uncovered) > 0
                  ? [T.whyUncovered(printMoney(credits.uncovered, credits.currency))]
                  : []),
              ]}
            >
              {printRounded(credits.amount, credits.currency)}
            </Explained>
          }
        >
          {forecast?.creditsExhaustedOn
            ? T.exhausted(printDay(forecast.creditsExhaustedOn))
            : Number(credits.amount) > 0
              ? T.creditsLast
              : T.creditsGone}
        </Stat>
        <Stat label={WORKSPACE.pages.deployments} value={living}>
          {silent === 0 ? T.allReport : T.silent(silent)}
        </Stat>
      </div>
      <Growth status={status} />
      <div class="grid-2">
        <section class="card">
          <div class="card-head">
            <h2>{WORKSPACE.pages.deployments}</h2>
            <a href={PATHS.deployments}>{T.all}</a>
          </div>
          {deployments.length === 0 && <p class="soft">{WORKSPACE.deployments.noneText}</p>}
          <dl class="facts">
            {deployments
              .filter(({ state }) => state !== 'retired')
              .slice(0, 6)
              .map(({ id, name, bytes, lastHeartbeatAt }) => (
                <>
                  <dt key={id}>
                    <a href={`${PATHS.deployments}/${id}`}>{name}</a>
                  </dt>
                  <dd class="tabular">
                    {printBytes(bytes)}{' '}
                    <span class="soft">· {T.heard(printAge(lastHeartbeatAt, nowMs()))}</span>
                  </dd>
                </>
              ))}
          </dl>
        </section>
        <section class="card">
          <div class="card-head">
            <h2>{WORKSPACE.pages.credits}</h2>
            <a href={PATHS.credits}>{T.all}</a>
          </div>
          {credits.grants.length === 0 && <p class="soft">{T.noCredits}</p>}
          <dl class="facts">
            {credits.grants
              .filter(({ state }) => state === 'active' || state === 'upcoming')
              .slice(0, 6)
              .map(({ id, source, available, expiresAt }) => (
                <>
                  <dt key={id} class="tabular strong">
                    {printRounded(available, credits.currency)}
                  </dt>
                  <dd>
                    {source.startsWith('offer ') ? WORKSPACE.credits.ofOffer : source}
                    {expiresAt !== null && (
                      <span class="soft"> · {T.until(printDay(expiresAt))}</span>
                    )}
                  </dd>
                </>
              ))}
          </dl>
          {hasRole('operator') && <a href={PATHS.credits}>{WORKSPACE.credits.grant}</a>}
        </section>
      </div>
    </>
  )
}

/** The period so far and its forecast, and the days one by one. */
function Growth({ status }: { readonly status: LicenseStatus }) {
  const { plan, actual, forecast, forecastReason } = status
  const { from, to } = plan.period
  const asked = useAsked(`growth ${from}`, async (signal) =>
    parseLines(
      await readUsageLines(
        { granularity: 'day', from: `${from}T00:00:00Z`, to: new Date(nowMs()).toISOString() },
        signal,
      ),
    ),
  )
  const days = daysBetween(from, to)
  const today = new Date(nowMs()).toISOString().slice(0, 10)
  const isUnlimited = plan.volumeBytesPerDay === 0
  return (
    <section class="card">
      <div class="card-head">
        <h2>{T.growth}</h2>
        <a href={PATHS.usage}>{T.toUsage}</a>
      </div>
      <p>
        {forecast === null ? (
          <span class="soft">{forecastReason}</span>
        ) : (
          <>
            {T.willBe}{' '}
            <b>
              <Explained
                why={[
                  T.whyBand(
                    Math.round(forecast.confidence.share * 100),
                    printBytes(forecast.confidence.low),
                    printBytes(forecast.confidence.high),
                  ),
                  T.whyMethod(forecast.method),
                ]}
              >
                {printBytes(forecast.bytesAtPeriodEnd)}
              </Explained>
            </b>
            {forecast.exceedsPlanOn === null
              ? isUnlimited
                ? '.'
                : T.withinPlan
              : T.exceeds(printDay(forecast.exceedsPlanOn))}
          </>
        )}
      </p>
      <AskedPart asked={asked}>
        {(rows) => {
          const known = days.filter((day) => day <= today)
          const byDay = known.map((day) =>
            rows.reduce((sum, { time, bytes }) => sum + (time.startsWith(day) ? bytes : 0), 0),
          )
          let sum = 0
          const sums = byDay.map((bytes) => (sum += bytes))
          return (
            <>
              <GrowthChart
                label={T.growthLabel(printBytes(actual.bytes), printBytes(plan.allowedBytes))}
                days={days.map(printShortDay)}
                sums={sums}
                {...(isUnlimited
                  ? {}
                  : {
                      limit: {
                        value: plan.allowedBytes,
                        name: T.allowed(printBytes(plan.allowedBytes)),
                      },
                    })}
                {...(forecast === null
                  ? {}
                  : {
                      forecast: {
                        middle: forecast.bytesAtPeriodEnd,
                        low: forecast.confidence.low,
                        high: forecast.confidence.high,
                      },
                    })}
                print={printBytes}
              />
              <BarChart
                label={T.daysLabel}
                series={[T.perDay]}
                bars={known.map((day, at) => ({
                  label: printShortDay(day),
                  title: printDay(day),
                  values: [byDay[at] ?? 0],
                }))}
                print={printBytes}
                {...(isUnlimited
                  ? {}
                  : {
                      limit: {
                        value: plan.volumeBytesPerDay,
                        name: T.perDayAllowed(printBytes(plan.volumeBytesPerDay)),
                      },
                    })}
              />
            </>
          )
        }}
      </AskedPart>
    </section>
  )
}
