/** What the studio has for a call that an explanation or an error names; the first that fits a sentence replaces it. */
const IN_STUDIO: readonly [RegExp, string][] = [
  [
    /^Ask the user for another (address|number) and store .*/,
    'Ask the user for another $1, and save it on the user’s page.',
  ],
  [/^Once the cause is corrected, .*/, 'Once the cause is corrected, send it again below.'],
  [
    /^Correct the template or the parameters: .*/,
    'Correct the template, or “Edit and send” with other values.',
  ],
  [/^Store one in \w*[tT]okens with .*/, 'The app or the page registers one when it is opened.'],
  [/^Store it with POST \/account.*/, 'An administrator stores it in the account.'],
  [/^Remove the sender domain .*/, 'An administrator removes the sender domain, and adds it again.'],
  [/^GET \/environments .*/, 'Choose another environment.'],
  [/^S(?:tore|ave) (?:an?|the) (\w+) with POST \/users.*/, 'Add the $1 on the user’s page.'],
  [/^Store it with POST \/users.*/, 'Add it on the user’s page.'],
  [/^Once the cause is gone, lift .*/, 'Once the cause is gone, lift the suppression on the user’s page.'],
  [/^Lift the suppression with .*/, 'Lift the suppression on the user’s page only if the user asks for it.'],
  [
    /^Publish the DNS records that .*/,
    'Publish the DNS records that Usage lists, or send from a verified domain.',
  ],
  [
    /^Check SPF, DKIM and DMARC .*/,
    'Check SPF, DKIM and DMARC of the sender domain: Usage lists its records.',
  ],
  [/^Correct chatChannel .*/, 'Correct the chat channel on the user’s page.'],
  [/^Choose another channel with .*/, 'Choose another chat channel on the user’s page.'],
  [/^Connect (?:again|the user) with .*/, 'Let the user connect chat again.'],
  [/^Enable it with PATCH \/types.*/, 'Enable it on the type’s page.'],
  [/^Create the type again with .*/, 'Create the type again under Types.'],
  [/^Create the user with .*/, 'Create the user under Users, or send to them.'],
  [/^Send the ID of a type .*/, 'Choose a type from the list, or create one under Types.'],
  [/^Change it with PATCH .*/, 'Change the one that exists, or choose another ID.'],
  [/^GET \/organization\/usage .*/, 'Usage shows when the period ends.'],
  [/^GET \/logs\/\{trackingIds\} shows its outcome; a/, 'A'],
  [/^GET \/logs\/\{trackingIds\} has .*/, 'The notification’s page has what is kept.'],
  [/^(?:GET \/(?!users)|Take ).* (?:lists|from) .*/, 'Choose one from the list.'],
  [/^PUT .*\/draft saves .*/, 'Save a draft first.'],
  [/^(?:Set one with )?PUT \/webhooks.*/, 'An administrator sets the webhook and its events.'],
  [/^GET \/users\/\{userId\}\/waiting .*/, 'Waiting shows when it goes out.'],
  [/^Change or cancel it with .*/, 'Change its time or cancel it below.'],
  [/^Change (throttling|deduplication) with .*/, 'Change the limits on the type’s page.'],
  [/^POST \/send\?dryRun=true .*/, '“Edit and send” shows which.'],
  [/^GET \/users\/\{userId\}\/preferences .*/, 'The user’s page shows their choices.'],
  [/^Change options\..*/, 'Change the default delivery on the type’s page.'],
  [/ with \?dryRun=true\.$/, ' with “Edit and send”.'],
  [
    /^Raise the cap, .*/,
    'Ask an administrator to raise the cap, or wait for the next period: Usage shows the caps.',
  ],
  [/^Change disableSending .*/, 'An administrator turns the channel on for the environment.'],
  [/^Store one with PUT \/settings\/push.*/, 'An administrator adds the push credentials of the account.'],
  [/(?<=\w)[:;] (?:GET|POST|PUT|PATCH|DELETE) \/.*/, '.'],
];

/** A call of the API, a field of the log, or a parameter: nothing that the studio shows. */
const FOREIGN = /\b(?:GET|POST|PUT|PATCH|DELETE) \/|_failed_internal|\?dryRun/;

/** Says in the studio's words what to do; omits sentences about anything else. */
export function inStudio(fix: string): string {
  return fix
    .split(/(?<=\.) (?=\p{Lu})/u)
    .map((sentence) => {
      const found = IN_STUDIO.find(([pattern]) => pattern.test(sentence));
      return found ? sentence.replace(found[0], found[1]) : sentence;
    })
    .filter((sentence) => !FOREIGN.test(sentence))
    .join(' ');
}
