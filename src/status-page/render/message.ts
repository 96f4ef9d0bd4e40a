/** Field of a form on a public page. Names and values are those of the submitted form. */
export type FormField =
  | {
      type: 'email' | 'password' | 'text';
      name: string;
      label: string;
      value?: string;
      autocomplete?: string;
    }
  | { type: 'hidden'; name: string; value: string }
  | {
      type: 'choices';
      name: string;
      legend: string;
      /** One choice by radio buttons, or several by check boxes. */
      isMultiple: boolean;
      options: readonly { value: string; label: string; isChecked: boolean }[];
    };

/** Form that is posted. */
export interface MessageForm {
  /** Path below `/status/`, as of `DOCUMENTS`. */
  action: string;
  fields: readonly FormField[];
  submit: string;
}

/** Page of a title, a text and perhaps a form, such as for subscribing. */
export interface Message {
  /** Its own path below `/status/`, as of `DOCUMENTS`: links and the action are relative to it. */
  document: string;
  title: string;
  /** Plain text. */
  text: string;
  /** Link below the text: an absolute address, or one relative to the document. */
  link?: { label: string; url: string };
  /** What was wrong with the submitted form. */
  error?: string | null;
  form?: MessageForm;
}
