import { describe, expect, it } from 'vitest';
import { studioOfFile } from './studio-page.ts';

const { page, open } = studioOfFile();

describe('the form of the studio', () => {
  it('composes, shows what would happen while typing, sends, and follows the notification live', async () => {
    await open('compose');
    await page().getByLabel('Type', { exact: true }).fill('composed');
    await page().getByLabel('Subject', { exact: true }).fill('Hi {{ nickname }}');
    await page().getByText('nickname', { exact: true }).waitFor();
    await page().getByRole('button', { name: 'Send', exact: true }).click();
    await page()
      .getByRole('heading', { name: /composed → ada/ })
      .waitFor();
    await page()
      .getByText(/● delivered/)
      .first()
      .waitFor();
  });

  it('sets language, order, urgency and the envelope of an email in the form, and keeps them in the JSON', async () => {
    await open('compose');
    const field = (name: string) => page().getByLabel(name, { exact: true });
    await field('Type').fill('ordered');
    await field('Language').fill('de-AT');
    await field('Urgent: goes out during quiet hours and pauses').check();
    await page().getByText('Channels and steps').click();
    await page().getByRole('button', { name: 'Send in steps' }).click();
    await field('Delay of step 2').fill('2');
    await field('Unit of the delay of step 2').selectOption('hours');
    await field('Condition of step 2').selectOption('undelivered');
    await page().getByText('Email options').click();
    await field('Copy (CC)').fill('bob@example.com, cem@example.com');
    await page().getByRole('button', { name: 'As JSON' }).click();
    await page().getByRole('textbox', { name: 'Request' }).waitFor();
    const draft = async () =>
      JSON.parse(await page().evaluate<string>("sessionStorage.getItem('studio.draft')"));
    await expect.poll(draft).toMatchObject({
      type: 'ordered',
      to: { locale: 'de-AT' },
      urgent: true,
      options: {
        steps: [{ channels: ['INAPP_WEB'] }, { channels: ['EMAIL'], after: 'PT2H', when: 'undelivered' }],
        email: { ccAddresses: ['bob@example.com', 'cem@example.com'] },
      },
    });
    await page().getByRole('button', { name: 'As a form' }).click();
    await page().getByRole('button', { name: 'Remove step 2' }).click();
    await page().getByRole('button', { name: 'Send in steps' }).waitFor();
    await field('Send later, in the user’s time').fill('2099-01-01T09:00');
    await page().getByRole('button', { name: 'Schedule', exact: true }).waitFor();
  });
});
