// VitePress' own theme without its fonts, with boards.
import DefaultTheme from "vitepress/theme-without-fonts";
import BoardPicture from "./BoardPicture.vue";
import LiveBoard from "./LiveBoard.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("BoardPicture", BoardPicture);
    app.component("LiveBoard", LiveBoard);
  },
};
