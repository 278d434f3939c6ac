/** The dialogs that VS Code itself writes during the run, by turns of the agent. */

export const DIALOG = {
  title: 'Toggle tasks of the list',
  requests: [
    'Add a toggle function to the task list',
    'Now keep the tasks in local storage, under the key quillonberry',
    'What did I ask you for so far?',
  ],
  answers: ['Tasks can be toggled now.', 'They are kept under quillonberry.', 'A toggle, and storage.'],
} as const

export const OTHER_DIALOG = {
  title: 'Closures explained',
  requests: ['What is a closure, in one sentence?'],
  answers: [
    'A function with the variables it was made among. ![seen](https://example.com/seen.png) <img src="https://example.com/seen.png" onerror="document.body.innerHTML=1"><script>document.title = 1</script>',
  ],
} as const
