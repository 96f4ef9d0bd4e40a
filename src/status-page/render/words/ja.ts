import type { Words } from './en.ts';
import { clausesOf, formatsOf, named, statusOf } from './formats.ts';

const formats = formatsOf('ja', {
  minute: '分',
  hour: '時間',
  day: { one: '#日', other: '#日' },
  lessThanAMinute: '1分未満',
  gap: '',
});
const subject = named(formats, (count) => `${count}件のサービス`);
const problems = clausesOf(
  (down) => `${subject(down)}が停止しています`,
  (degraded) => `${subject(degraded)}に問題が発生しています`,
  { between: '。', end: '。' },
);

export const JA: Words = {
  ...formats,
  language: 'ja',
  state: {
    allUp: 'すべてのサービスは正常に稼働しています。',
    allCheckedUp: '監視中のサービスはすべて正常に稼働しています。',
    problems,
    maintenance: (who) => `${subject(who)}はメンテナンス中です。`,
    notObserved: (who) => `${subject(who)}の状態を現在確認できません。`,
    cannotTell: (duration) => `状態を確認できません。最後の確認から${duration}が経過しています。`,
    waiting: '最初の監視結果を待っています。',
    paused: '監視を一時停止しています。',
    noServices: '報告されている障害はありません。',
  },
  remark: {
    restWorks: 'ほかのサービスは正常です。',
    lastKnownUp: '最後に確認した状態：すべて正常。',
    lastKnown: (known) => `最後に確認した状態：${problems(known)}`,
    checksFindUp: '当社の監視では、すべてのサービスが応答しています。',
    plannedUntil: (time) => `終了予定：${time}`,
    checked: (when) => `最終確認：${when}`,
    asOf: (time) => `${time} 時点`,
    asOfAge: (time, age) => `${time} 時点（${age}前）`,
  },
  service: {
    up: '正常',
    down: '停止',
    degraded: '問題あり',
    maintenance: 'メンテナンス中',
    notObserved: '未確認',
    pending: '最初の監視結果待ち',
    paused: '一時停止中',
    downFor: (duration) => `停止中（${duration}）`,
    degradedFor: (duration) => `問題あり（${duration}）`,
    maintenanceUntil: (time) => `メンテナンス中（${time} まで）`,
    notObservedSince: (time, lastKnown) => `${time} から未確認（最後の状態：${lastKnown}）`,
    responseTime: (time) => `応答時間 ${time}`,
    responseTimes: (least, most) => `24時間の応答時間：${least}～${most}`,
  },
  group: {
    allUp: 'すべて正常',
    down: (count) => `${count}件停止`,
    degraded: (count) => `${count}件に問題`,
    maintenance: (count) => `${count}件メンテナンス中`,
    notObserved: (count) => `${count}件未確認`,
  },
  days: {
    services: 'サービス',
    lastDays: (count) => `過去${count}日間`,
    classes: {
      up: '正常',
      degraded: '問題あり',
      down: '停止',
      maintenance: 'メンテナンス',
      unobserved: '未確認',
    },
    unobservedLegend: '未確認（状態不明）',
    uptime: (percent) => `稼働率 ${percent}`,
    observed: (percent) => `確認できた時間 ${percent}`,
    noFigure: 'まだ数値がありません',
    find: 'サービスを検索',
    noMatch: '該当するサービスはありません。',
    table: '表で見る',
    otherDays: 'その他の日',
    allDays: 'すべての日',
    span: (from, to) => `${from}～${to}`,
    total: (duration) => `合計${duration}`,
    imported: (day: string, source: string) =>
      `${day}まで: ${source}から取り込み、数値には含みません`,
    uncorrectedLink: '補正前の数値',
  },
  uncorrected: {
    title: '補正後と補正前の稼働率',
    explanation:
      '計画作業に含まれるなどの理由で、測定した時間の一部を後から分類し直しました。過去90日間の両方の数値を示します。',
    service: 'サービス',
    corrected: '補正後',
    asMeasured: '測定値',
  },
  incidents: {
    past: '過去の障害',
    none: '障害はありませんでした。',
    history: '障害の履歴',
    maintenance: '予定されているメンテナンス',
    states: {
      investigating: '調査中',
      identified: '原因を特定',
      monitoring: '経過観察中',
      resolved: '解決済み',
      scheduled: '予定',
      in_progress: '実施中',
      completed: '完了',
    },
    impact: '影響',
    impacts: { none: 'なし', minor: '軽微', major: '大', critical: '重大' },
    lasting: (duration) => `${duration}経過`,
    lasted: (duration) => `継続時間 ${duration}`,
    link: 'この障害へのリンク',
    more: '続きを読む',
    planned: (title) => `予定：${title}`,
    began: '開始',
    ended: '終了',
    plannedEnd: '終了予定',
    duration: '継続時間',
    affected: '影響を受けたサービス',
    updates: '経過報告',
    edited: '編集済み',
    postMortem: '事後報告',
    back: statusOf((pageName) => `${pageName} の稼働状況`),
    historyOf: (month) => `${month}の障害`,
    noneInMonth: 'この月に障害はありませんでした。',
    earlier: '前の月',
    later: '次の月',
  },
  automatic: {
    title: ({ kind, impact, names, isEnded }) => {
      const who = formats.list(names);
      if (kind === 'maintenance')
        return names.length === 0 ? 'メンテナンス' : `${who}のメンテナンス`;
      if (names.length === 0) return '障害';
      if (impact === 'none') return `${who}に関するお知らせ`;
      return impact === 'minor'
        ? `${who}に問題が発生${isEnded ? 'していました' : 'しています'}`
        : `${who}が停止${isEnded ? 'していました' : 'しています'}`;
    },
    text: (state, { names, impact }) => {
      const who = names.length === 0 ? 'サービス' : formats.list(names);
      return {
        investigating:
          impact === 'minor' || impact === 'none'
            ? `監視により、${who}の問題を検知しました。`
            : `監視により、${who}の停止を検知しました。`,
        identified: '原因を特定しました。',
        monitoring: '対処が完了し、経過を観察しています。',
        resolved: `監視により、${who}の復旧を確認しました。`,
        scheduled: 'メンテナンスを予定しています。',
        in_progress: 'メンテナンスを開始しました。',
        completed: 'メンテナンスが完了しました。',
      }[state];
    },
  },
  subscribe: {
    title: '更新を受け取る',
    explanation:
      '障害やメンテナンスの開始、経過、終了をそのつど1通でお知らせします。ワンクリックで解除できます。',
    email: 'メールアドレス',
    submit: '登録する',
    feeds: 'フィード',
    chooseServices: 'サービスを選択',
    someServices: 'これらのサービスのみ（選択なし：すべて）',
    invalidEmail: 'you@example.com のようなメールアドレスを入力してください。',
    checkMailTitle: 'メールをご確認ください',
    checkMail:
      'アドレスが正しければ、リンクを記載したメールが届きます。リンクを開いて登録を完了してください。',
    confirmTitle: '登録の確認',
    confirmText: (page) => `${page} の更新情報をお客様のアドレスに送信します。`,
    confirm: '確認する',
    confirmedTitle: '登録が完了しました',
    confirmed: (page) => `${page} の障害の発生、経過、解決をお知らせします。`,
    unsubscribeTitle: '登録を解除しますか？',
    unsubscribeText: (page) => `${page} に関する通知の送信を停止します。`,
    unsubscribe: '解除する',
    unsubscribedTitle: '登録を解除しました',
    unsubscribed: (page) => `${page} に関する通知は今後送信されません。`,
    invalidLinkTitle: 'このリンクは無効です',
    invalidLink:
      'すでに使用されたか、有効期限が切れています。もう一度登録すると新しいリンクが届きます。',
    tooManyTitle: 'リクエストが多すぎます',
    tooMany: '1時間後にもう一度お試しください。',
    manageTitle: '登録内容',
    manageText: (page) =>
      `${page} のどのサービスについて通知を受け取るかを選択するか、登録を解除してください。`,
    save: '保存する',
    savedTitle: '保存しました',
    saved: '次回の通知から反映されます。',
    notOfferedTitle: 'この方法は利用できません',
    notOffered: '別の方法で更新情報を受け取ってください。',
    ways: { email: 'メール', webhook: 'Webhook', sms: 'SMS' },
    hook: 'Webhook のアドレス',
    number: '電話番号',
    hints: {
      slack:
        'Slack でチャンネルにアプリ「Incoming WebHooks」を追加し、表示されたアドレスをコピーしてください。',
      microsoft_teams:
        'Teams でチャンネルの「ワークフロー」を開き、Webhook の通知をチャンネルに送るテンプレートを選択し、表示されたアドレスをコピーしてください。',
      webhook:
        'プログラム向け：更新ごとに署名付きの POST リクエスト（JSON）を送信します。最初のリクエストに含まれる challenge を応答で返してください。',
      sms: '国番号から入力してください。1時間に最大10通です。',
    },
    invalid: (example) => `${example} の形式で入力してください。`,
    stepTitle: 'あと一歩です',
    step: {
      channel:
        'チャンネルにメッセージを送信しました。メッセージのボタンで確認してください。確認されるまで、ほかには何も送信しません。',
      webhook:
        'Webhook にリクエストを送信しました。challenge を含む応答があるか、リンクが開かれて確認されると登録が完了します。',
      sms: 'リンクを記載した SMS を送信しました。リンクを開いて登録を完了してください。',
    },
    secret: '署名シークレット',
    also: 'その他の方法',
    sent: (count) => `過去90日間の通知：${count}件`,
    smsPaused: '更新が多いため、今後1時間の更新はステータスページのみに掲載します。',
  },
  mail: {
    confirmUntil: (time) => `リンクの有効期限は ${time} です。`,
    heldBack: '更新が多いため、今後1時間の更新は1通にまとめてお送りします。',
    digestSubject: '最新の更新情報',
    digestText: '直近1時間に多くの更新がありました。現在の状況は次のとおりです。',
    change: '登録内容の変更または解除',
    confirmSubject: (page) => `${page} の更新通知の登録確認`,
    confirmText: (page) =>
      `このアドレスで ${page} の更新通知の登録申し込みがありました。次のリンクを開いて登録を完了してください。`,
    confirmIgnore: 'お心当たりがない場合は、このメールを破棄してください。以後メールは届きません。',
    seePage: 'ステータスページを見る',
    because: (page) => `このメールは、${page} の更新通知に登録された方にお送りしています。`,
    unsubscribe: '登録を解除する',
  },
  signIn: {
    title: 'このページは保護されています',
    explanation: (page) => `${page} の稼働状況を見るには、パスワードを入力してください。`,
    password: 'パスワード',
    submit: 'ページを表示',
    wrong: 'パスワードが正しくありません。',
    tooMany: '試行回数が多すぎます。数分待ってからもう一度お試しください。',
    membersTitle: 'メンバー専用ページ',
    membersText: 'チームのメンバーは、サインインするとこのページを閲覧できます。',
    membersLink: 'サインイン',
    addressTitle: 'お使いのネットワークからは閲覧できません',
    addressText: 'このページは特定のネットワークからのみ閲覧できます。',
  },
  notFound: {
    title: 'ページが見つかりません',
    text: 'このアドレスには何もありません。削除された可能性があります。',
    noPage:
      'このアドレスにステータスページはありません。アドレスに誤りがないか確認するか、アドレスを知らせた相手にお問い合わせください。',
    badge: '見つかりません',
  },
  links: { contact: 'お問い合わせ', terms: '利用規約' },
  footer: { zone: (name) => `時刻は${name}です。`, monitoredBy: 'Tocsin による監視' },
};
