import { describeFields } from './field-texts.ts';
import {
  DefaultSelection,
  NewTemplate,
  Template,
  TemplateChange,
  TemplatePreview,
  TemplateWithContent,
  VariantQuery,
} from './template.ts';

describeFields(DefaultSelection, {
  templateId: 'The template that becomes the default.',
  modes: 'The delivery modes that it becomes the default of.',
});

describeFields(
  NewTemplate,
  {
    templateId: 'The ID of the template.',
    locale: 'The language of the variant (BCP 47), such as de; the default variant has none.',
  },
  TemplateWithContent,
);

describeFields(Template, {
  envId: 'The environment.',
  notificationId: 'The ID of the notification type.',
  templateId: 'The ID of the template.',
  locale: 'The language of the variant; the default variant has none.',
  channel: 'The channel of the template.',
  default: 'True if it is the default for instant delivery.',
  isDefaultFor: 'The delivery modes for which the template is the default.',
});

describeFields(TemplateChange, {}, TemplateWithContent);

describeFields(TemplatePreview, {
  template: 'The content of the template, by the fields of its channel.',
  parameters: 'Values for the templates; any JSON. By default the samples of the template.',
  attributes: "The user's attributes.",
  items: 'The parameters of each item of a digest. By default _items of the samples, without parameters.',
  mode: 'The delivery mode to render for; instant without it.',
  locale: 'The language to render in.',
});

describeFields(
  TemplateWithContent,
  {
    samples:
      'Values of its variables for previews and tests, derived from its texts when it is first saved; _items has those of a digest.',
    html: 'The HTML, as Liquid.',
    layout:
      'The component with {{ content }} that the HTML is shown in; null for none, even if the account has a default; empty for the default of the account.',
    previewText: 'The text after the subject in inboxes.',
    internal: "The editor's representation.",
    subject: 'The subject, as Liquid.',
    senderName: "The sender's display name.",
    senderEmail: "The sender's address, on a verified domain of the account.",
    title: 'The title, as Liquid.',
    redirectURL: 'The URL that a click opens.',
    imageURL: 'The URL of the image.',
    instant: [
      'The content of a single item.',
      {
        title: 'The title, as Liquid.',
        redirectURL: 'The URL that a click opens.',
        imageURL: 'The URL of the image.',
      },
    ],
    batch: [
      'The content that represents several items.',
      {
        title: 'The title, as Liquid.',
        redirectURL: 'The URL that a click opens.',
        imageURL: 'The URL of the image.',
      },
    ],
    text: 'The text, as Liquid.',
    message: 'The text, as Liquid.',
    icon: 'The URL of an image; in chat also an emoji.',
    image: 'The URL of a large image.',
    url: 'The URL that a click opens.',
    blocks: 'Blocks of the chat message, as the chat provider defines them, at most 50.',
    username: 'The name under which the message is sent.',
  },
  Template,
);

describeFields(VariantQuery, {
  locale: 'The language of the variant; without it, the default variant.',
});

describeFields(TemplatePreview.entries.template, {}, TemplateWithContent);
