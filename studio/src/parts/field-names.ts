/** The fields of a message in plain words; the link of an in-app notification has two names in the API. */
const FIELD_NAMES: Record<string, string> = {
  subject: 'Subject',
  html: 'Body (HTML)',
  previewText: 'Preview text, shown after the subject in a mailbox',
  senderName: 'Sender name',
  senderEmail: 'Sender address',
  title: 'Title',
  body: 'Text below the title',
  message: 'Message',
  text: 'Message',
  url: 'Link',
  redirectURL: 'Link',
  imageURL: 'Address of the image',
  icon: 'Address of the icon',
};

/** `text` is the message of other channels, and of an email what programs show that show no HTML. */
export const fieldName = (field: string, channel?: string) =>
  field === 'text' && channel === 'EMAIL' ? 'Plain text' : (FIELD_NAMES[field] ?? field);
