// What goes to each kind of target. Texts of events are in them: in JSON they are values, in Slack
// plain text, which Slack reads no signs in. Pure.
import type { AlertNotice } from '../../../schemas/monitors/notice.ts'
import { PICTURE_SIZE } from './picture-size.ts'

/** Of Slack, for a plain text. */
const MAX_SLACK_CHARACTERS = 2900
const MAX_SLACK_TITLE = 150
const MAX_LABEL_CHARACTERS = 500
const MAX_MAIL_CHARACTERS = 200_000

export function webhookBody(notice: AlertNotice): string {
  const { event, atMs, openedMs, subject, text, picture: _, ...data } = notice
  return JSON.stringify({
    type: `alert.${event}`,
    timestamp: new Date(atMs).toISOString(),
    data: { ...data, opened: new Date(openedMs).toISOString(), subject, text },
  })
}

/** `text` is what notifications show; there `&`, `<` and `>` are signs. */
export function slackBody({ event, subject, text, link }: AlertNotice): string {
  const title = cut(subject, MAX_SLACK_TITLE)
  const plain = (value: string) => ({ type: 'plain_text', text: value, emoji: false })
  return JSON.stringify({
    text: escapeSlack(title),
    mrkdwn: false,
    blocks: [
      { type: 'header', text: plain(title || 'alert') },
      { type: 'section', text: plain(cut(text, MAX_SLACK_CHARACTERS) || 'alert') },
      ...(link === '' || link.length > MAX_SLACK_CHARACTERS
        ? []
        : [
            {
              type: 'actions',
              elements: [
                {
                  type: 'button',
                  text: plain(event === 'digest' ? 'Open the alerts' : 'Open the search'),
                  url: link,
                },
              ],
            },
          ]),
    ],
  })
}

/** As POST /api/v2/alerts takes it. Repeats have the labels of the first, which is how it knows
 *  them. */
export function alertmanagerBody(notice: AlertNotice): string {
  const { monitor, severity, group, subject, text, link, openedMs, atMs, event } = notice
  return JSON.stringify([
    {
      labels: {
        ...{ alertname: cut(monitor, MAX_LABEL_CHARACTERS), severity, source: 'logeye' },
        ...(group === '' ? {} : { group: cut(group, MAX_LABEL_CHARACTERS) }),
      },
      annotations: { summary: subject, description: cut(text, MAX_SLACK_CHARACTERS) },
      startsAt: new Date(openedMs).toISOString(),
      ...(event === 'closed' ? { endsAt: new Date(atMs).toISOString() } : {}),
      generatorURL: link,
    },
  ])
}

/** Control characters of events could hide a part of a mail. */
export function mailText({ text }: AlertNotice): string {
  return cut(text.replace(/[^\P{Cc}\n\t]/gu, ' '), MAX_MAIL_CHARACTERS)
}

/** Of the picture in a mail. */
export const PICTURE_ID = 'chart@logeye'

/** Around a picture: the same text, in which nothing is a sign. */
export function mailHtml(notice: AlertNotice): string {
  const escaped = (text: string) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  const { width, height } = PICTURE_SIZE
  const alt = 'Events by time, up to this alert'
  return [
    '<!doctype html><html><head><meta charset="utf-8"></head><body>',
    `<p><img src="cid:${PICTURE_ID}" width="${width}" height="${height}" alt="${alt}"></p>`,
    `<pre style="white-space:pre-wrap;font-family:sans-serif">${escaped(mailText(notice))}</pre>`,
    '</body></html>',
  ].join('\n')
}

function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function cut(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}
