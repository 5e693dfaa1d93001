import type { Channel } from '../../../client/src/generated/types.ts';
import { ask } from '../parts/dialog.tsx';
import { Select } from '../parts/select.tsx';
import { api, apiOfMaybe } from '../state/service.ts';

type Target = { notificationId: string; channel: Channel; templateId: string };

/** The variant in a language with the languages that there are; of one that there is not yet, the oldest as a start. */
export async function openVariant({ notificationId, channel, templateId }: Target, locale: string) {
  const { templates } = await api.templates.list(notificationId, channel);
  const known = templates.filter((each) => each.templateId === templateId).map((each) => each.locale ?? '');
  const shown = known.includes(locale) ? locale : known[0];
  const query = shown ? { locale: shown } : {};
  const { data, etag } = await api.templates.get(notificationId, channel, templateId, query).withResponse();
  return { template: data as Record<string, unknown>, known, etag };
}

type PickerProps = Target & {
  locale: string;
  locales: readonly string[];
  onChoose: (locale: string) => void;
};

export function VariantPicker({ locale, locales, onChoose, ...target }: PickerProps) {
  const all = [...new Set(['', ...locales, locale])].map((each) => {
    const text = each || 'no language';
    return [each, locales.includes(each) ? text : `${text} (new)`] as const;
  });
  const { notificationId, channel, templateId } = target;
  const add = async () => {
    const tag = await ask({
      title: 'Add a language',
      text: 'Users of this language get its variant of the template.',
      field: 'Language tag, such as de or pt-BR',
      name: 'locale',
      button: 'Add',
      use: (locale) => apiOfMaybe.templates.get(notificationId, channel, templateId, { locale }),
    });
    if (tag) onChoose(new Intl.Locale(tag).toString());
  };
  return (
    <>
      <Select label="Language" value={locale} all={all} set={onChoose} />
      <button type="button" onClick={add}>
        Add a language
      </button>
    </>
  );
}
