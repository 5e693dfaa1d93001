import type { Account } from '../../shared/database/entities/accounts.ts';
import type { Profile, ProfileChange } from '../../shared/domain/profile.ts';
import { firstTimezone } from '../../shared/domain/timezone.ts';
import { escapeHtml } from '../../shared/http/escape-html.ts';
import { fillText, type PageLanguage } from '../../shared/http/page-language.ts';
import { parseHour } from '../../shared/schemas/delivery-time.ts';

const HOUR_MS = 3_600_000;
const PAUSES = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const;

/** The user whose quiet hours and pause are shown, and the time. */
export type QuietFacts = {
  user: Partial<Profile> | undefined;
  account: Pick<Account, 'quietHours' | 'timezone'> | undefined;
  nowMs: number;
};

/** The request in a submitted form; `isInvalid`: its times are not valid quiet hours. */
export type QuietChange = { change: ProfileChange; isInvalid: boolean };

/**
 * The fields of quiet hours and of the pause. Quiet hours are the user's own, or else those of the account.
 */
export function quietFields({ user, account, nowMs }: QuietFacts, { texts, locale }: PageLanguage): string {
  const { from, to } = user?.quietHours ?? account?.quietHours ?? {};
  const zone = firstTimezone([user?.timezone, account?.timezone]);
  const time = (name: string, label: string, value: string | undefined) =>
    `<label>${escapeHtml(label)} <input type="time" name="${name}" value="${clockTime(value)}"></label>`;
  const empty = account?.quietHours ? texts.quietDefault : texts.quietNone;
  const pausedUntilMs = user?.pausedUntilMs ?? 0;
  const isPaused = pausedUntilMs > nowMs;
  const until = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone });
  const choices: [value: string, text: string][] = [
    ...(isPaused
      ? [
          ['keep', fillText(texts.paused, { time: escapeHtml(until.format(pausedUntilMs)) })] as [
            string,
            string,
          ],
        ]
      : []),
    ['none', escapeHtml(texts.pauseNone)],
    ['hour', escapeHtml(texts.pauseHour)],
    ['day', escapeHtml(texts.pauseDay)],
    ['week', escapeHtml(texts.pauseWeek)],
    ['month', escapeHtml(texts.pauseMonth)],
  ];
  const radios = choices.map(
    ([value, text], index) =>
      `<label>${text} <input type="radio" name="pause" value="${value}"${index === 0 ? ' checked' : ''}></label>`,
  );
  return `<fieldset>
<legend>${escapeHtml(texts.quietHours)}</legend>
${time('quiet-from', texts.quietFrom, from)}
${time('quiet-to', texts.quietTo, to)}
<p class="note">${fillText(texts.quietZone, { zone: escapeHtml(zone) })} ${escapeHtml(empty)}</p>
</fieldset>
<fieldset>
<legend>${escapeHtml(texts.pauseAll)}</legend>
${radios.join('\n')}
</fieldset>`;
}

/**
 * The changes of a submitted form. A form without these fields, such as that of an older page, changes
 * nothing.
 */
export function submittedQuiet(
  given: ReadonlyMap<string, string>,
  { user, account, nowMs }: QuietFacts,
): QuietChange {
  const change: ProfileChange = {};
  const pause = given.get('pause');
  const pauseMs = Object.entries(PAUSES).find(([name]) => name === pause)?.[1];
  if (pauseMs !== undefined) change.pausedUntilMs = nowMs + pauseMs;
  if (pause === 'none') change.pausedUntilMs = null;
  const shown = user?.quietHours ?? account?.quietHours;
  const [from, to] = [given.get('quiet-from'), given.get('quiet-to')];
  if (from === undefined || to === undefined) return { change, isInvalid: false };
  if (from === clockTime(shown?.from) && to === clockTime(shown?.to)) return { change, isInvalid: false };
  if (from === '' && to === '') return { change: { ...change, quietHours: null }, isInvalid: false };
  if (!isClockTime(from) || !isClockTime(to) || from === to) return { change, isInvalid: true };
  return { change: { ...change, quietHours: { ...shown, from, to } }, isInvalid: false };
}

function isClockTime(text: string): boolean {
  return text !== '' && clockTime(text) === text;
}

/** A time of day in a browser's format, such as `22:00`; empty if there is none. */
function clockTime(text: string | undefined): string {
  const minutes = parseHour(text);
  if (minutes === undefined) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
