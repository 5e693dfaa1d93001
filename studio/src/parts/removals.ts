import { ask } from './dialog.tsx';

/** Everything that a button of the studio removes, with the question before it. Other removals can be undone. */
const QUESTIONS = {
  component: [
    'Delete the component',
    'It can be deleted once no template embeds it. This cannot be undone.',
    'Delete',
  ],
  draft: [
    'Discard the changes to',
    'What you entered and did not save is deleted from this browser.',
    'Discard',
  ],
  storedDraft: ['Discard the draft of', 'The template that sends stays as it is.', 'Discard'],
  suppression: [
    'Lift the suppression of',
    'Email goes to this address again. Bounces and complaints harm the sender’s reputation.',
    'Lift',
  ],
  scheduled: [
    'Cancel the notification',
    'It waits, and is never sent once it is cancelled.',
    'Cancel the notification',
  ],
  template: ['Delete the template', 'Notifications that name it use the default template instead.', 'Delete'],
  type: [
    'Delete the type',
    'Its templates and the users’ preferences for it are deleted. Delivery logs stay.',
    'Delete',
  ],
  waiting: ['Cancel what waits of', 'It is never sent once it is cancelled.', 'Cancel it'],
  user: [
    'Erase',
    'Contact data, preferences, in-app items and the person in every delivery log are deleted for good.',
    'Erase',
  ],
} as const satisfies Record<string, readonly [title: string, text: string, button: string]>;

export async function isSureToRemove(kind: keyof typeof QUESTIONS, name: string): Promise<boolean> {
  const [title, text, button] = QUESTIONS[kind];
  return (await ask({ title: `${title} ${name}?`, text, button, isDanger: true })) !== undefined;
}
